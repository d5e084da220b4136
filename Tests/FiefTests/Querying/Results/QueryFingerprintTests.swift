import Fief
import Foundation
import Testing

@testable import FiefCore

/// The fingerprints that cursors are bound to, and the form in which they are written: clients have them for
/// longer than a process lives.
struct QueryFingerprintTests {
  @Test func theFingerprintIsTheSameEverywhere() {
    var description = QueryDescription()
    description.condition = .all([
      .comparison(.path(QueryPath("age")), .greater, .value(.integer(3))),
      .oneOf(.path(QueryPath("owner", "name")), [.string("a"), .null], [.caseInsensitive]),
    ])
    description.order = [QueryOrder(.path(QueryPath("age")), ascending: false, nils: .last)]
    let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    let number = QueryFingerprint.of(description.shape, type: "Dog", storeID: store)
    // Cursors that clients have depend on it. The numbers come from a program in another language that follows the
    // description of the bytes, with the reference implementation of the hash.
    #expect(number == 0x0636_3C9A_B8C3_8F50)
    #expect(QueryFingerprint.of(.all, type: "Dog", storeID: store) == 0x6E78_CA86_0CD2_562D)
    description.limit = .first(3)
    #expect(number == QueryFingerprint.of(description.shape, type: "Dog", storeID: store))
    description.distinct = [QueryPath("name")]
    #expect(number != QueryFingerprint.of(description.shape, type: "Dog", storeID: store))
    #expect(number != QueryFingerprint.of(description.shape, type: "Cat", storeID: store))
  }

  /// A cursor that was handed to a client by another process, at another time.
  @Test func theTextOfACursorIsTheSameEverywhere() throws {
    let text = "AVCPw7iaPDYGBAMHAAAAAAAAAAYEWm_DqQAEAAAAAAAA-D8EIIABAuWEZY8"
    let cursor = QueryCursor(
      fingerprint: 0x0636_3C9A_B8C3_8F50,
      values: [.integer(7), .string("Zoé"), .null, .double(1.5)],
      key: ObjectKey(bytes: [0x20, 0x80, 1, 2])
    )
    #expect(cursor.text == text)
    #expect(try QueryCursor(text: text) == cursor)
  }
}
