"""Words and sentences of the made-up memory, in two languages, each sentence with questions that it answers."""

from __future__ import annotations

from dataclasses import dataclass

GIVEN = (
    "Aoi", "Ben", "Chloe", "Daichi", "Emma", "Fumi", "George", "Hana", "Ivan", "Jun", "Kei", "Lena", "Mika", "Noah",
    "Olga", "Pablo", "Rin", "Sofia", "Taro", "Uma", "Victor", "Wakana", "Xenia", "Yuki", "Zoe", "Akira", "Bruno",
    "Clara", "Diego", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaito", "Lucia", "Mateo", "Nadia",
    "Oscar", "Priya",
)  # fmt: skip
FAMILY = (
    "Tanaka", "Meyer", "Rossi", "Silva", "Novak", "Sato", "Dubois", "Larsen", "Kowalski", "Mori", "Haddad", "Costa",
    "Weber", "Okafor", "Ito", "Jensen", "Moreau", "Petrov", "Quinn", "Reyes", "Suzuki", "Toth", "Ueda", "Varga",
    "Wong", "Yamada", "Zhang", "Abe", "Bauer", "Cruz", "Doyle", "Endo", "Fischer", "Garcia", "Hayashi", "Ivanov",
    "Kato",
)  # fmt: skip
CITIES = (
    "Osaka", "Kyoto", "Sapporo", "Fukuoka", "Nagoya", "Kobe", "Sendai", "Berlin", "Lyon", "Porto", "Turin",
    "Krakow", "Bergen", "Malmo", "Ghent", "Graz", "Seville", "Split", "Tartu", "Brno", "Leeds", "Cork", "Boston",
    "Denver", "Austin", "Quito", "Lima", "Cusco", "Accra", "Nairobi", "Busan", "Hanoi", "Perth", "Dunedin", "Izmir",
    "Tbilisi",
)  # fmt: skip
COMPANIES = (
    "Northwind", "Aster", "Bluefin", "Cobalt", "Driftwood", "Ember", "Fathom", "Granite", "Harbour", "Indigo",
    "Juniper", "Keystone", "Lantern", "Meridian", "Nimbus", "Orchard", "Pinewood", "Quartz", "Redstart", "Saffron",
    "Tidewater",
)  # fmt: skip
ADJECTIVES = (
    "green", "old", "quiet", "quick", "spicy", "modern", "local", "grand", "plain", "winter", "early", "folk",
    "silver", "wild", "slow", "bright", "northern", "wooden", "small", "salted", "classic", "electric", "hidden",
    "open",
)  # fmt: skip
NOUNS = (
    "tea", "jazz", "chess", "ramen", "opera", "tennis", "manga", "poetry", "curry", "sumo", "yoga", "cinema",
    "pottery", "archery", "bread", "cheese", "cycling", "gardens", "guitars", "kayaks", "lanterns", "maps",
    "museums", "novels", "origami", "pianos", "radios", "sailing", "skating", "soup", "stamps", "theatre", "trains",
    "violins", "walks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation with its sentences; `{s}` is the subject, `{o}` the object."""

    name: str
    category: str
    objects: str
    single: bool
    """One value at a time: a new one replaces the former."""
    english: str
    japanese: str
    asked: str
    asked_of_me: str
    asked_in_japanese: str

    def sentence(self, subject: str, object_: str, *, japanese: bool) -> str:
        """The fact in words."""
        return (self.japanese if japanese else self.english).format(s=subject, o=object_)

    def question(self, subject: str, *, first_person: bool, japanese: bool) -> str:
        """A question that the fact answers."""
        if first_person:
            return self.asked_of_me
        return (self.asked_in_japanese if japanese else self.asked).format(s=subject)


_RELATIONS = (
    Relation("lives_in", "profile", "city", True, "{s} lives in {o}.", "{s}は{o}に住んでいます。",
             "Where does {s} live?", "Where do I live?", "{s}はどこに住んでいますか"),
    Relation("works_at", "profile", "company", True, "{s} works at {o}.", "{s}は{o}で働いています。",
             "Which company does {s} work at?", "Where do I work?", "{s}の勤務先はどこですか"),
    Relation("likes", "preference", "thing", False, "{s} likes {o}.", "{s}は{o}が好きです。",
             "What does {s} like?", "What do I like?", "{s}は何が好きですか"),
    Relation("uses", "general", "thing", False, "{s} uses {o} every day.", "{s}は毎日{o}を使っています。",
             "What does {s} use every day?", "What do I use every day?", "{s}は毎日何を使っていますか"),
    Relation("visited", "general", "city", False, "{s} visited {o} with friends.", "{s}は友達と{o}を訪れました。",
             "Which city did {s} visit with friends?", "Which cities have I visited?", "{s}はどこを訪れましたか"),
    Relation("studies", "general", "thing", False, "{s} studies the history of {o}.", "{s}は{o}の歴史を学んでいます。",
             "The history of what does {s} study?", "What do I study?", "{s}は何の歴史を学んでいますか"),
)  # fmt: skip


def relations() -> tuple[Relation, ...]:
    """All relations of the made-up memory."""
    return _RELATIONS
