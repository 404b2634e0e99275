"""Japanese phrasings by class: corrections, names of one relation, changes, ends, whose attribute it is."""

from __future__ import annotations

import pytest

from graphmem.ports import Candidate

from .conftest import Facts


def said(candidates: list[Candidate]) -> list[tuple[str, str, str, str]]:
    """Subject, predicate, object, and + for what holds, - for what does not, x for what has ended."""
    return [
        (c.subject.name, c.predicate, c.object.name, "x" if c.event == "retract" else "+" if c.polarity else "-")
        for c in candidates
    ]


@pytest.mark.parametrize(
    ("text", "predicate", "right", "wrong"),
    [
        ("北川葉子の勤め先は青葉印刷ではなく若葉印刷です。", "works_at", "若葉印刷", "青葉印刷"),
        ("田中さんの誕生日は3月5日ではなく、正しくは3月8日だった。", "birthday", "3月8日", "3月5日"),
        ("出身は長崎であって、福岡ではありません。", "comes_from", "長崎", "福岡"),
        ("訂正:三浦誠さんの住まいは川口じゃなくて蕨。", "lives_in", "蕨", "川口"),
        ("血液型は、再検査の結果O型ではなくA型だった。", "血液型", "A型", "O型"),
    ],
)
async def test_not_a_but_b_corrects_a(facts: Facts, text: str, predicate: str, right: str, wrong: str) -> None:
    new, old = await facts(text)
    assert (new.predicate, new.object.name, new.event, new.polarity, new.correction) == (
        predicate,
        right,
        "assert",
        True,
        True,
    )
    assert (old.predicate, old.object.name, old.event) == (predicate, wrong, "retract")
    assert wrong in old.text


async def test_not_only_takes_nothing_back(facts: Facts) -> None:
    assert all(c.event == "assert" for c in await facts("英語だけでなくフランス語も話せます。"))


@pytest.mark.parametrize(
    "text",
    [
        "会議前に確認、木村さんの勤め先は青葉印刷。",
        "顧客メモ:木村さんの勤め先は青葉印刷。",
        "念のため共有、木村さんの勤め先は青葉印刷。",
        "木村さんの勤め先は青葉印刷だと判明した。",
    ],
)
async def test_words_around_the_fact_are_no_part_of_it(facts: Facts, text: str) -> None:
    assert said(await facts(text)) == [("木村", "works_at", "青葉印刷", "+")]


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "value"),
    [
        ("宮田航の出身国はチリだ。", "宮田航", "comes_from", "チリ"),
        ("宮田航の出生地は松山。", "宮田航", "born_in", "松山"),
        ("宮田航の上司は小西部長だ。", "宮田航", "manager", "小西部長"),
        ("宮田航の勤務地は大阪オフィスです。", "宮田航", "office", "大阪オフィス"),
        ("宮田航の連絡先は070-1234-5678です。", "宮田航", "phone", "070-1234-5678"),
        ("宮田航の連絡先はw.miyata@example.comです。", "宮田航", "email", "w.miyata@example.com"),
        ("宮田航の肩書きは広報主任です。", "宮田航", "job_title", "広報主任"),
        ("宮田航の夫は宮田健という。", "宮田航", "husband", "宮田健"),
        ("佐藤さんの妻は由美さんという名前です。", "佐藤", "wife", "由美"),
        ("宮田航のかかりつけ医は有馬先生。", "宮田航", "doctor", "有馬先生"),
        ("宮田航のスマホはPixel 8。", "宮田航", "phone_model", "Pixel 8"),
        ("宮田航の食事は引き続き減塩食。", "宮田航", "diet", "減塩食"),
        ("宮田航さんへの連絡はフランス語希望。", "宮田航", "preferred_language", "フランス語"),
        ("宮田航の靴は26センチ。", "宮田航", "shoe_size", "26センチ"),
        ("足のサイズは25.5センチです。", "Haruka", "shoe_size", "25.5センチ"),
    ],
)
async def test_one_relation_under_its_many_names(
    facts: Facts, text: str, subject: str, predicate: str, value: str
) -> None:
    [fact] = await facts(text)
    assert said([fact]) == [(subject, predicate, value, "+")]
    assert fact.cardinality == "one"


@pytest.mark.parametrize("text", ["車は赤です。", "銀行は3時までです。", "田中さんの車は駅前です。"])
async def test_what_a_thing_is_like_is_not_which_one_it_is(facts: Facts, text: str) -> None:
    assert all(c.predicate not in ("car", "bank") for c in await facts(text))


async def test_pastimes_are_many(facts: Facts) -> None:
    assert [c.cardinality for c in await facts("田中さんの趣味は釣りと将棋です。")] == ["many", "many"]


async def test_after_a_first_attribute_the_subject_stays(facts: Facts) -> None:
    found = said(await facts("ルイス・モラレスの母語はスペイン語で、流暢に話せる。"))
    assert ("ルイス・モラレス", "native_language", "スペイン語", "+") in found
    assert all(subject == "ルイス・モラレス" for subject, *_ in found)


@pytest.mark.parametrize(
    ("text", "predicate", "new", "old"),
    [
        ("岡部真理はヤリスからホンダのフィットに乗り換えた。", "car", "ホンダのフィット", "ヤリス"),
        (
            "岡部真理様、ベーシックプランからプロプランへ変更手続き済み。",
            "subscription_plan",
            "プロプラン",
            "ベーシックプラン",
        ),
        ("岡部真理は鹿島から浦和に移籍した。", "plays_for", "浦和", "鹿島"),
        ("岡部真理は日立から富士通に転職した。", "works_at", "富士通", "日立"),
    ],
)
async def test_what_is_left_ends_where_the_new_one_begins(
    facts: Facts, text: str, predicate: str, new: str, old: str
) -> None:
    assert sorted(said(await facts(text))) == sorted(
        [("岡部真理", predicate, new, "+"), ("岡部真理", predicate, old, "x")]
    )


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("岡部真理は携帯をGalaxy S23に買い替えました。", "phone_model", "Galaxy S23"),
        ("岡部真理の上司が小西課長から堀部長に代わった。", "manager", "堀部長"),
        ("岡部真理は銀行をあおば信金に変えた。", "bank", "あおば信金"),
        ("岡部真理は経理課から総務課に異動した。", "team", "総務課"),
        ("岡部真理は9月に係長から課長へ昇進した。", "job_title", "課長"),
        ("岡部真理は店長を任されている。", "job_title", "店長"),
        ("岡部真理は環境大臣の職にある。", "job_title", "環境大臣"),
        ("岡部真理はバスで通勤している。", "commute", "バス"),
        ("岡部真理は渋谷オフィスに出社している。", "office", "渋谷オフィス"),
        ("岡部真理は西高校に通っている。", "attends", "西高校"),
        ("岡部真理は春から東北大学の学生になった。", "attends", "東北大学"),
        ("岡部真理の自宅は川越市にある。", "lives_in", "川越市"),
        ("岡部真理は川越市のマンションに住んでいる。", "lives_in", "川越市"),
        ("岡部真理は東西生命の保険に加入している。", "insured_with", "東西生命"),
        ("岡部真理は林先生に診てもらっている。", "doctor", "林先生"),
        ("岡部真理は由美を妻としている。", "wife", "由美"),
        ("岡部真理はそば屋の仕事を辞めて、今は青葉物流勤めだそうだ。", "works_at", "青葉物流"),
        ("岡部真理は、今ではうどんよりそばが一番の好物になった。", "favourite_food", "そば"),
        ("岡部真理は紺色が一番好き。", "favourite_color", "紺色"),
        ("岡部真理には卵のアレルギーがある。", "allergic_to", "卵"),
        ("岡部真理は卵を食べると湿疹が出る。", "allergic_to", "卵"),
        ("岡部真理は写真大賞に輝いた。", "won", "写真大賞"),
        ("岡部真理は登山に凝っている。", "趣味", "登山"),
        ("岡部真理はサックスも吹ける。", "plays", "サックス"),
        ("岡部真理はドイツ語も流暢に話す。", "speaks", "ドイツ語"),
        ("岡部真理への連絡はokabe@example.comまで。", "email", "okabe@example.com"),
        ("岡部真理さん、今後の案内は英語がいいとのこと。", "preferred_language", "英語"),
    ],
)
async def test_many_ways_to_say_what_holds(facts: Facts, text: str, predicate: str, value: str) -> None:
    assert ("岡部真理", predicate, value, "+") in said(await facts(text))


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("岡部真理は東西生命の保険を解約した。", "insured_with", "東西生命"),
        ("岡部真理はNetflixを解約した。", "subscribes_to", "Netflix"),
        ("岡部真理のokabe@example.comはもう使われていない。", "email", "okabe@example.com"),
        ("岡部真理は去年、健太と離婚した。", "married_to", "健太"),
        ("岡部真理は三味線をやめた。", "plays", "三味線"),
        ("岡部真理は駅前のギターを手放した。", "owns", "駅前のギター"),
        ("岡部真理はテニスクラブを退会した。", "member_of", "テニスクラブ"),
        ("岡部真理は新製品プロジェクトを離れて展示会を担当している。", "works_on", "新製品プロジェクト"),
    ],
)
async def test_many_ways_to_say_what_has_ended(facts: Facts, text: str, predicate: str, value: str) -> None:
    assert ("岡部真理", predicate, value, "x") in said(await facts(text))


@pytest.mark.parametrize(
    ("first", "second", "fact"),
    [
        ("堂島亮の出身地は千葉ではない。", "茨城だ。", ("堂島亮", "comes_from", "茨城", "+")),
        ("堂島亮の電話番号を間違えていた。", "正しくは080-1111-2222。", ("堂島亮", "phone", "080-1111-2222", "+")),
    ],
)
async def test_the_value_of_what_was_denied_comes_next(
    facts: Facts, first: str, second: str, fact: tuple[str, str, str, str]
) -> None:
    found = await facts(first + second)
    assert said(found[-1:]) == [fact]
    assert found[-1].correction


async def test_what_was_once_said_wrongly_is_not_stated(facts: Facts) -> None:
    right, wrong = await facts("前に堂島亮は課長だと言ったが、あれは間違いで係長だ。")
    assert said([right, wrong]) == [("堂島亮", "job_title", "係長", "+"), ("堂島亮", "job_title", "課長", "x")]
    assert right.correction


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("堂島亮の上司は高井さんから三好さんに交代した。", ("堂島亮", "manager", "三好", "+")),
        ("堂島亮の役職が次長になった。", ("堂島亮", "job_title", "次長", "+")),
        ("堂島亮は次長から部長に格上げされた。", ("堂島亮", "job_title", "部長", "+")),
        ("堂島亮は納豆が嫌いになった。", ("堂島亮", "dislikes", "納豆", "+")),
        ("堂島亮は将棋が趣味だ。", ("堂島亮", "趣味", "将棋", "+")),
        ("堂島亮はドイツ語が堪能だ。", ("堂島亮", "speaks", "ドイツ語", "+")),
        ("堂島亮は大田区に移り住んだ。", ("堂島亮", "lives_in", "大田区", "+")),
        ("堂島亮はみなと銀行に口座がある。", ("堂島亮", "bank", "みなと銀行", "+")),
        ("堂島亮は小麦アレルギーと診断された。", ("堂島亮", "allergic_to", "小麦", "+")),
        ("堂島亮の小麦アレルギーは治った。", ("堂島亮", "allergic_to", "小麦", "x")),
        ("堂島亮は編集長の座を退いた。", ("堂島亮", "job_title", "編集長", "x")),
        ("堂島亮は市役所を退職し、現在は無職だ。", ("堂島亮", "works_at", "市役所", "x")),
        ("堂島亮は東京海上との契約を打ち切った。", ("堂島亮", "insured_with", "東京海上", "x")),
        ("堂島亮は保険を東西生命から南北生命に切り替えた。", ("堂島亮", "insured_with", "南北生命", "+")),
    ],
)
async def test_of_whom_and_of_what_it_is_said(facts: Facts, text: str, fact: tuple[str, str, str, str]) -> None:
    found = said(await facts(text))
    assert fact in found
    assert {subject for subject, *_ in found} == {"堂島亮"}


async def test_kin_and_pets_are_of_the_one_the_sentence_is_about(facts: Facts) -> None:
    found = said(await facts("堂島亮は猫のソラと妻の麻衣さんを描いている。"))
    assert all(subject != "Haruka" for subject, *_ in found)
    assert ("堂島亮", "wife", "麻衣", "+") in found


async def test_an_end_names_what_held(facts: Facts) -> None:
    texts = [c.text for c in await facts("堂島亮は主治医を佐野先生から林先生に変えた。") if c.event == "retract"]
    assert texts == ["堂島亮の主治医は佐野先生"]


async def test_the_day_that_is_left_is_no_date_of_the_change(facts: Facts) -> None:
    [fact] = await facts("納品日が5月10日から5月20日に延期された。")
    assert (fact.object.name, fact.valid_at) == ("5月20日", None)


@pytest.mark.parametrize(
    "text", ["窓を開けると海が見える。", "卵を食べるとどうなりますか。", "田中さんは会社の保険に入っている。"]
)
async def test_no_relation_is_guessed(facts: Facts, text: str) -> None:
    assert not {"allergic_to", "insured_with", "opens"} & {c.predicate for c in await facts(text)}


@pytest.mark.parametrize(
    "text",
    [
        "西尾さんの携帯は圏外だ。",
        "西尾さんの車は三代目だ。",
        "西尾さんのチームは5人だ。",
        "子どもの保険を解約した。",
        "西尾さんは老人に席を譲った。",
        "毎日学校に通っている。",
        "西尾さんは電車に乗っている。",
    ],
)
async def test_no_value_is_made_of_what_names_none(facts: Facts, text: str) -> None:
    named = {"phone_model", "car", "team", "insured_with", "owns", "attends"}
    assert not named & {c.predicate for c in await facts(text)}


async def test_numbers_are_corrected_too(facts: Facts) -> None:
    found = said(await facts("西尾さんの電話は03-1111-2222ではなく03-1111-3333だよ。"))
    assert found == [("西尾", "phone", "03-1111-3333", "+"), ("西尾", "phone", "03-1111-2222", "x")]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("沢村恵の家にはインコもいる。", ("沢村恵", "has_pet", "インコ", "+")),
        ("沢村恵は愛用のカメラをニコンからソニーに替えた。", ("沢村恵", "カメラ", "ソニー", "+")),
        ("沢村恵は席を入口側に移した。", ("沢村恵", "席", "入口側", "+")),
        ("沢村恵の睡眠薬を5ミリグラムから2ミリグラムに減らした。", ("沢村恵", "睡眠薬", "2ミリグラム", "+")),
        ("沢村恵は緑風党を離党した。", ("沢村恵", "political_party", "緑風党", "x")),
        ("沢村恵は花粉症が治った。", ("沢村恵", "has", "花粉症", "x")),
    ],
)
async def test_belongings_and_amounts_of_another(facts: Facts, text: str, fact: tuple[str, str, str, str]) -> None:
    found = said(await facts(text))
    assert fact in found
    assert all(subject != "Haruka" for subject, *_ in found)


async def test_how_one_works_is_no_employer(facts: Facts) -> None:
    assert all(c.predicate != "works_at" for c in await facts("沢村恵は在宅勤務だ。"))


@pytest.mark.parametrize("bullet", ["・", "・ ", "● ", "■", "- "])
async def test_a_bullet_is_no_part_of_a_name(facts: Facts, bullet: str) -> None:
    found = await facts(f"自己紹介:\n{bullet}私は大阪に住んでいます\n{bullet}犬を飼っています")
    assert [(c.subject.is_speaker, c.predicate, c.object.name) for c in found] == [
        (True, "lives_in", "大阪"),
        (True, "has_pet", "犬"),
    ]


@pytest.mark.parametrize("text", ["> I like coffee.\n\nYes, me too.", "> 私は大阪に住んでいます。\n\nなるほど。"])
async def test_a_quoted_line_is_not_the_speakers_word(facts: Facts, text: str) -> None:
    assert await facts(text) == []
