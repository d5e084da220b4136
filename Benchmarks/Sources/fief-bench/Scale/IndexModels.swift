import Fief

/// The classes of ``IndexScale``: the same properties, with other indexes in each.
protocol IndexedMember: Object {
  var id: Int { get set }
  var email: String { get set }
  var age: Int { get set }
  var city: String { get set }
  var about: String { get set }
}

enum WithoutIndex {
  final class Member: Object, IndexedMember {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email = ""
    @Persisted var age = 0
    @Persisted var city = ""
    @Persisted var about = ""
  }
}

enum WithPlainIndex {
  final class Member: Object, IndexedMember {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var email = ""
    @Persisted var age = 0
    @Persisted var city = ""
    @Persisted var about = ""
  }
}

enum WithUniqueIndex {
  final class Member: Object, IndexedMember {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(index: .unique) var email = ""
    @Persisted var age = 0
    @Persisted var city = ""
    @Persisted var about = ""
  }
}

enum WithCompoundIndex {
  final class Member: Object, IndexedMember {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email = ""
    @Persisted var age = 0
    @Persisted var city = ""
    @Persisted var about = ""

    override class func indexes() -> [IndexDefinition] { [IndexDefinition("city", "age")] }
  }
}

enum WithFullTextIndex {
  final class Member: Object, IndexedMember {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var email = ""
    @Persisted var age = 0
    @Persisted var city = ""
    @Persisted(index: .fullText) var about = ""
  }
}

extension IndexedMember {
  /// Member of a number: an address in no order, a thousand cities, ten of five thousand words.
  init(number: Int) {
    self.init()
    let mixed = (number &* 2_654_435_761) & 0xFFFF_FFFF
    id = number
    email = "user\(mixed)@example.com"
    age = mixed % 90
    city = "city\(mixed % 1000)"
    about = (0..<10).map { "word\((mixed + $0 * 7919 * ($0 + mixed % 13)) % 5000)" }.joined(separator: " ")
  }
}
