import Fief

/// The classes of the tests of stores and their places.
final class PlaceBook: Object {
  @Persisted(primaryKey: true) var isbn = ""
  @Persisted(indexed: true) var title = ""
  @Persisted var author: PlaceAuthor?

  convenience init(_ isbn: String, _ title: String = "") {
    self.init()
    self.isbn = isbn
    self.title = title
  }
}

final class PlaceAuthor: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(originProperty: "author") var books: LinkingObjects<PlaceBook>

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

/// The class of another version: the same name, one property more.
enum PlaceLater {
  final class PlaceBook: Object {
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted(indexed: true) var title = ""
    @Persisted var author: PlaceAuthor?
    @Persisted var pages = 1
  }
}
