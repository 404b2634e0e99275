"""Kinds of personal data in a text, most sensitive first, so that a store can leave them out of recalls."""

from __future__ import annotations

import re
from collections.abc import Callable

from .fold import fold

KINDS = (
    "secret",
    "national_id",
    "card",
    "bank_account",
    "health",
    "religion",
    "politics",
    "sexuality",
    "criminal_record",
    "ethnicity",
    "date_of_birth",
    "address",
    "phone",
    "email",
    "income",
)
"""What `sensitivity` may hold; callers may give other words by PATCH."""

_MOST = 20_000
"""Characters of a text that are looked at; what follows in a longer one is not tagged."""

_EMAIL = re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,24}", re.ASCII)
_DIGITS = re.compile(r"[0-9]")
_SSN = re.compile(r"(?<![0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![0-9-])")
_ID_NAMES = re.compile(
    r"\b(?:social security|ssn|passport|driver'?s? licen[cs]e|national id|identity card|tax id|nino"
    r"|my number)\b[^.\n]{0,40}?[a-z]{0,3}[0-9]{4,}"
    r"|(?:マイナンバー|個人番号|旅券番号|パスポート(?:番号)?|免許証?番号|保険証?番号|在留カード(?:番号)?"
    r"|基礎年金番号)[^。\n]{0,16}?[a-z]{0,2}[0-9]{4,}"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[a-z]{2}[0-9]{2}(?:[ ]?[a-z0-9]{4}){2,7}(?:[ ]?[a-z0-9]{1,4})?(?![a-z0-9])")
_ACCOUNT = re.compile(
    r"\b(?:bank account|account (?:number|no\.?)|iban|sort code|routing number)\b[^.\n]{0,30}?[0-9]{4,}"
    r"|(?:口座番号|普通預金|普通口座|当座|口座)[^。\n]{0,12}?[0-9]{5,8}"
)
_CARD = re.compile(r"\[redacted: card number\]|\b(?:credit|debit) card (?:number )?(?:ending|ends)\b|カード番号")
_SECRET = re.compile(r"\[redacted: (?!card number)(?!my number)[a-z ]{2,20}\]")
_MY_NUMBER = re.compile(r"\[redacted: my number\]")
_BIRTH = re.compile(
    r"\b(?:birthday|date of birth|dob|birth ?date)\b|\bborn (?:on|in) (?:the )?(?:[0-9]{1,4}|january|february|march"
    r"|april|may|june|july|august"
    r"|september|october|november|december)\b|(?:誕生日|生年月日)"
    r"|[0-9]{1,4}[年/.-][0-9]{1,2}[月/.-][0-9]{1,2}日?(?:に)?生まれ|(?:月[0-9]{1,2}日|年)生まれ"
)
_STREET = re.compile(
    r"(?<![a-z0-9])[0-9]{1,5}[a-z]?,? (?:[a-z'.-]{2,20} ){1,4}?(?:street|st\.?|avenue|ave\.?|road|rd\.?|lane|ln\.?"
    r"|drive|dr\.?|boulevard|blvd\.?|court"
    r"|square|terrace|close|way|place|row|crescent)(?![a-z])|\b(?:p\.? ?o\.? box) [0-9]+|\b(?:home|postal|mailing"
    r"|street) address (?:is|:)"
    r"|\b[a-z]{1,2}[0-9][0-9a-z]? [0-9][a-z]{2}\b|〒 ?[0-9]{3}-?[0-9]{4}|郵便番号[^。\n]{0,6}[0-9]{3}-?[0-9]{4}"
    r"|(?:東京都|北海道|(?:京都|大阪)府|[一-龠]{2,3}県)[^\s。、,0-9]{1,16}?[0-9一二三四五六七八九十]{1,4}(?:丁目|番"
    r"|-[0-9])|[市区町村][^\s。、,0-9]{1,10}?[0-9]{1,3}(?:丁目|番地|-[0-9]{1,3}-[0-9]{1,3})"
)
_HEALTH = re.compile(
    r"\b(?:allerg(?:y|ic|ies)|diabet(?:es|ic)|cancer|tumou?r|asthma|epilepsy|depress(?:ion|ed)|anxiety disorder"
    r"|bipolar|schizophreni[ac]|adhd|autis(?:m|tic)|dementia|alzheimer"
    r"|parkinson|hiv|aids|hepatitis|tuberculosis|stroke|heart (?:attack|disease|condition|failure)|hypertension"
    r"|high blood pressure|migraine|insomnia|arthritis|pregnan(?:t|cy)|miscarriage"
    r"|diagnos(?:ed|is)|prescri(?:bed|ption)|medication|chemotherapy|dialysis|surgery|symptoms?|therapist"
    r"|psychiatrist|rehab|blood type|disabilit(?:y|ies)|disabled|celiac|coeliac|anaphyla\w{1,6}"
    r"|insulin|antidepressants?|wheelchair|infected|covid)\b"
    r"|アレルギー|糖尿病|癌|がん(?:に|の|を|と|で|です)|ガン(?:に|の|を|と)|腫瘍|喘息|ぜんそく|てんかん|うつ病?|鬱"
    r"|不安障害|統合失調|双極性|発達障害|自閉|認知症|肝炎|結核|脳卒中|心臓病|心筋梗塞|高血圧"
    r"|持病|病気|診断|処方|服薬|服用|薬を飲|投薬|手術|入院|通院|妊娠|流産|症状|精神科|心療内科|障害者|障がい|血液型"
    r"|片頭痛|偏頭痛|不眠症|リウマチ|インスリン|感染し|車椅子|透析|闘病|発作"
)
_RELIGION = re.compile(
    r"\b(?:christian|catholic|protestant|muslim|islam|jewish|judaism|buddhist|hindu|sikh|mormon|atheist|agnostic"
    r"|baptist|church member|converted to)\b"
    r"|(?:仏教|キリスト教|イスラム教|神道|ユダヤ教|ヒンドゥー教)(?:徒)?|クリスチャン|ムスリム|信者|入信|信仰"
)
_POLITICS = re.compile(
    r"\b(?:voted? for|votes for|party member|republican|democrat|labour party|conservative party|trade union member"
    r"|union member|communist|socialist party)\b"
    r"|党員|支持政党|[一-龠ァ-ヶ]{1,8}党(?:を支持|に投票|支持)|に投票した|労働組合に(?:加入|所属|入)|組合員"
)
_SEXUALITY = re.compile(
    r"\b(?:gay|lesbian|bisexual|transgender|non-?binary|queer|asexual|came out as|sexual orientation"
    r"|gender identity)\b|同性愛|ゲイ(?:で|だ|です)|レズビアン|バイセクシュアル|トランスジェンダー|性的指向|性自認"
    r"|ノンバイナリー"
)
_CRIME = re.compile(
    r"\b(?:convicted|criminal record|felony|on parole|on probation|arrested|imprisoned|in prison|jail(?:ed)?)\b"
    r"|前科|逮捕|有罪|服役|懲役|執行猶予|犯罪歴|刑務所"
)
_ETHNICITY = re.compile(
    r"\b(?:ethnicity|ethnic(?:ally)?|racial(?:ly)?|his race|her race|my race|mixed race)\b|人種|民族|被差別部落"
    r"|在日(?:韓国|朝鮮)"
)
_INCOME = re.compile(
    r"\b(?:salary|earns?|income|net worth|wage|in debt|mortgage of|bankrupt(?:cy)?)\b[^.\n]{0,30}?(?:[0-9]|[$€£¥])"
    r"|\b(?:bankrupt|bankruptcy)\b|年収|月収|月給|手取り|借金|自己破産|貯金は?[0-9]"
)
_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("secret", _SECRET),
    ("national_id", _MY_NUMBER),
    ("national_id", _ID_NAMES),
    ("card", _CARD),
    ("bank_account", _ACCOUNT),
    ("health", _HEALTH),
    ("religion", _RELIGION),
    ("politics", _POLITICS),
    ("sexuality", _SEXUALITY),
    ("criminal_record", _CRIME),
    ("ethnicity", _ETHNICITY),
    ("date_of_birth", _BIRTH),
    ("address", _STREET),
    ("email", _EMAIL),
    ("income", _INCOME),
)
_RELATIONS = {
    "allergic_to": "health",
    "allergy": "health",
    "diagnosed_with": "health",
    "takes_medication": "health",
    "blood_type": "health",
    "birthday": "date_of_birth",
    "date_of_birth": "date_of_birth",
    "address": "address",
    "home_address": "address",
    "phone": "phone",
    "phone_number": "phone",
    "email": "email",
    "religion": "religion",
    "salary": "income",
    "passport_number": "national_id",
    "bank_account": "bank_account",
}
"""Relations that say by themselves what kind of data their object is."""


def sensitivity_of(text: str, relation: str | None = None) -> str | None:
    """Kinds of personal data in the text, most sensitive first, joined by commas; None without any."""
    folded = fold(text[:_MOST])
    lower = folded.lower
    found = {kind for kind, pattern in _WORDS if pattern.search(lower)}
    found |= {kind for kind, holds in _NUMBERS if holds(lower)}
    if relation is not None and relation in _RELATIONS:
        found.add(_RELATIONS[relation])
    return ",".join(kind for kind in KINDS if kind in found) or None


def kinds_of(sensitivity: str | None) -> frozenset[str]:
    """The kinds that a `sensitivity` holds."""
    return frozenset(filter(None, (kind.strip() for kind in (sensitivity or "").split(","))))


def _has_ssn(lower: str) -> bool:
    from stdnum.us import ssn

    return any(ssn.is_valid(match[0]) for match in _SSN.finditer(lower))


def _has_iban(lower: str) -> bool:
    from stdnum import iban

    return any(iban.is_valid(match[0]) for match in _IBAN.finditer(lower))


_PHONE_SHAPE = re.compile(
    r"\+[0-9][0-9 ().-]{6,18}[0-9]|(?<![0-9.-])\(?0[0-9]{1,4}\)?[ -]?[0-9]{1,4}[ -]?[0-9]{3,4}(?![0-9])"
    r"|(?<![0-9.-])\(?[2-9][0-9]{2}\)?[ .-][0-9]{3}[ .-][0-9]{4}(?![0-9])"
)
_REGIONS = ("JP", "US", "GB")
"""Where a number without a country code may be from, beside those that carry one."""


def _has_phone(lower: str) -> bool:
    shapes = _PHONE_SHAPE.findall(lower)[:50]
    if not shapes:
        return False
    return any(_is_phone(shape) for shape in shapes)


def _is_phone(shape: str) -> bool:
    from phonenumbers import NumberParseException, is_valid_number, parse

    for region in (None,) if shape.startswith("+") else _REGIONS:
        try:
            if is_valid_number(parse(shape, region)):
                return True
        except NumberParseException:
            continue
    return False


_NUMBERS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("national_id", _has_ssn),
    ("bank_account", _has_iban),
    ("phone", _has_phone),
)
