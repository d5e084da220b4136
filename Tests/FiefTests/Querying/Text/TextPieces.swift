/// Texts that mutations begin with.
enum TextPieces {
  static let words = [
    "AND", " OR ", "NOT ", "(", ")", "{", "}", "[", "]", "'", "\"", "`", "ANY ", "ALL ", "NONE ", "SUBQUERY(",
    "@count", ".",
    "@sum", "%@", "%K", "$0", "$d", "1", "1.5m", "-", "==", "IN", "BETWEEN", "LIKE", "nil", "SORT(", "LIMIT(",
    "\\u{", "ß", "😀",
    "TERNARY(", "COALESCE(", "date(", "2026-11-20@10:00:00", "object('Dog', ", "MATCHES", "SELF", "['a']",
    "[c]", "??", "[*]", "[0]", "[LAST]", ".@type",
  ]

  static let all: [String] = [
    "age > 3 AND name BEGINSWITH[c] 'a'", "name == %@", "%K > 3", "age > $0",
    "ANY dogs.age > 3 OR ALL numbers < 5",
    "SUBQUERY(dogs, $d, $d.age > 3 && $d.name == name).@count > 1", "ANY(dogs, $d, $d.age > age)",
    "'a' IN tags",
    "dogs.@sum.age + 1 > numbers.@max * 2", "age IN {1, 2, 3} AND name NOT IN {'a', 'b'}",
    "scores['a'] BETWEEN {1, 5}",
    "born > date('2026-11-20T10:00:00Z') OR born < 2026-11-20@10:00:00",
    "id == uuid('f1ef0000-0000-4000-8000-00000000000b')",
    "photo == data(base64 'AQID')", "best.owners.@count == 1 SORT(age DESC NULLS LAST, name[c]) LIMIT(5)",
    "TERNARY(age > 3, 1, 2) == -age ?? 5", "NOT (isActive AND !(`first name` LIKE '*x?'))",
    "name MATCHES 'old dog'",
    "LOWERCASE(name) == 'it\\'s \\u{1F600}' DISTINCT(name) OFFSET(2) LAST(3)", "größe % 2 == 0",
    "best == object('Dog', 'x')",
    "dogs.toys.kind == 'ball' AND friends.@keys == 'x'", "best.@links.Person.best.@count > 1",
    "anything['a'][0] == 1 OR anything[*] > %@ AND ALL anything['b'][*] == 'x'",
    "anything.@type == 'numeric' OR anything[LAST].@type IN {'string', 'list'} OR anything.@keys == 'a'", "",
  ]
}
