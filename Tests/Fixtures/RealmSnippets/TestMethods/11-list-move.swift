import FiefRealm
import XCTest

class Shelf: Object {
  @Persisted var books: List<Book>
}

class Book: Object {
  @Persisted var title = ""
}

final class ListTests: XCTestCase {
  var shelf: Shelf!
  override func setUp() {
    shelf = Shelf()
    shelf.books.append(objectsIn: [Book(value: ["A"]), Book(value: ["B"])])
  }
  override func tearDown() { shelf = nil }

  func testMove() {
    shelf.books.move(from: 1, to: 0)
    XCTAssertEqual(shelf.books[0].title, "B")
    shelf.books.move(from: 0, to: 1)
    XCTAssertEqual(shelf.books[1].title, "B")
  }
}
