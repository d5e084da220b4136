import FiefRealm
import XCTest

enum Size: String, PersistableEnum { case small, large }

class Shirt: Object {
  @Persisted var text = ""
  @Persisted var optional: String?
  @Persisted var size = Size.small
  @Persisted var link: Shirt?
}

final class StringQueryTests: XCTestCase {
  func testStrings() throws {
    let shirts = try Realm(configuration: .init(inMemoryIdentifier: name)).objects(Shirt.self)
    XCTAssertEqual(shirts.where { $0.text.contains("oó", options: [.diacriticInsensitive]) }.count, 0)
    XCTAssertEqual(shirts.where { $0.optional.starts(with: "Fo") }.count, 0)
    XCTAssertEqual(shirts.where { $0.size.rawValue.like("sm*") }.count, 0)
    XCTAssertEqual(shirts.where { $0.size.in([.small, .large]) }.count, 0)
    XCTAssertEqual(shirts.where { !$0.link.text.ends(with: "x") && $0.text.notEquals("y") }.count, 0)
    XCTAssertEqual(shirts.where { $0.text > "a" }.count, 0)
  }
}
