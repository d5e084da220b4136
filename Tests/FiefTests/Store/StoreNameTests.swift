import Fief
import Testing

@testable import FiefCore

@Suite("The name of a store")
struct StoreNameTests {
  static let good = [
    "auth", "Pets 2", "payments-v1.2", "größe", "домен", "宠物", "a", "🐕 dogs", "data.mdb.old", "a..b",
    String(repeating: "x", count: 200), String(repeating: "é", count: 100),
  ]

  @Test("may be any file name that is seen", arguments: good)
  func accepted(name: String) {
    #expect(throws: Never.self) { try StoreName.validate(name) }
  }

  static let bad = [
    "", ".", "..", ".hidden", "a/b", "/", "a\\b", "../up", "/etc", "a\0b", "a\nb", "\u{7F}", "\u{85}",
    "a\u{2028}",
    "a/\u{301}b", ".\u{301}a", "data.mdb", "Lock.MDB", String(repeating: "x", count: 201),
    String(repeating: "é", count: 101),
  ]

  @Test("is refused when it is empty, a path, invisible, hidden, reserved or too long", arguments: bad)
  func refused(name: String) {
    #expect {
      try StoreName.validate(name)
    } throws: { error in
      guard let error = error as? FiefError else { return false }
      return error.code == .invalidStoreName && error.store == name && !error.message.isEmpty
    }
  }
}
