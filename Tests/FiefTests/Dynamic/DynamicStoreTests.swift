import Fief
import Foundation
import Testing

/// A store without the types of its objects: reading, writing with all checks, maintenance.
@Suite("Stores without Swift types") struct DynamicStoreTests {
  private enum Model {
    final class Author: Object {
      @Persisted(primaryKey: true) var name = ""
      @Persisted(indexed: true) var born: Int?
      @Persisted(originProperty: "author") var books: LinkingObjects<Book>
    }

    final class Book: Object {
      @Persisted(primaryKey: true) var id: UUID
      @Persisted(indexed: true) var title = "untitled"
      @Persisted var author: Author?
      @Persisted var tags: MutableSet<String>
      @Persisted var cover: Cover?
      @Persisted var reviews: List<Review>
    }

    final class Cover: EmbeddedObject {
      @Persisted var colour = "white"
      @Persisted var artist: Author?
    }

    final class Review: Object {
      @Persisted var stars: Int8 = 3
      @Persisted var text: String?
    }

    final class Loan: Object {
      @Persisted(primaryKey: true) var id: ObjectId
      @Persisted(primaryKey: true) var shelf: Int16?
      @Persisted var note = ""
    }

    final class Library: DatabaseConfigurable, Sendable {
      let directory: String?
      let name: String
      var realmMemoryType: RealmMemoryType { .inStorage }
      var schemaName: String? { name }
      var schemaVersion: UInt64? { 4 }
      var objectTypes: [Object.Type]? { [Author.self, Book.self, Review.self, Loan.self] }
      var embeddedObjectTypes: [EmbeddedObject.Type]? { [Cover.self] }
      var migrationBlock: MigrationBlock? { nil }

      init(directory: String, name: String = "library") {
        self.directory = directory
        self.name = name
      }
    }
  }

  private let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  /// A library with an author, a book and two reviews, and the same as a store without types.
  private func withLibrary(_ body: (Model.Library, DynamicStore) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "fief-dynamic-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(
      at: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.path(percentEncoded: false)
    let library = Model.Library(directory: path)
    defer { library.close() }
    try library.write { transaction in
      let author = Model.Author()
      author.name = "Ada"
      author.born = 1815
      let book = Model.Book()
      book.id = id
      book.title = "Notes"
      book.author = author
      book.tags.insert("engine")
      book.cover = Model.Cover()
      book.cover?.artist = author
      for stars: Int8 in [4, 5] {
        let review = Model.Review()
        review.stars = stars
        book.reviews.append(review)
      }
      try transaction.add(book)
    }
    let store = try DynamicStore(directory: path + "/library", isReadOnly: false)
    defer { store.close() }
    try body(library, store)
    #expect(try store.check().problems == [])
    #expect(try library.check().problems == [])
  }

  @Test("Types and values as the catalogue has them, while the application has the store open")
  func reading() throws {
    try withLibrary { _, store in
      #expect(store.name == "library")
      #expect(store.schemaVersion == 4)
      #expect(store.types.map(\.name) == ["Author", "Book", "Cover", "Loan", "Review"])
      let type = try #require(store.types.first { $0.name == "Book" })
      #expect(type.primaryKey == ["id"])
      #expect(type.column(named: "title")?.isIndexed == true)
      #expect(type.column(named: "tags")?.type.container == .set)
      #expect(store.types.first?.columns.last?.originProperty == "author")
      #expect(try store.count(of: "Review") == 2)
      let book = try #require(try store.object(ofType: "Book", forKey: id))
      #expect(book["title"] as? String == "Notes")
      #expect(book["tags"] as? [String] == ["engine"])
      let link = try #require(book["author"] as? DynamicLink)
      #expect(link.typeName == "Author")
      let author = try #require(try store.object(ofType: "Author", forKey: link))
      #expect(author["born"] as? Int == 1815)
      #expect((book["cover"] as? DynamicObject)?["colour"] as? String == "white")
      let reviews = try #require(book["reviews"] as? [Any?]).compactMap { $0 as? DynamicLink }
      #expect(try reviews.map { try store.object(ofType: "Review", forKey: $0)?["stars"] as? Int } == [4, 5])
      #expect(try book.values().map(\.name) == ["id", "title", "author", "tags", "cover", "reviews"])
      #expect(book["nothing"] == nil)
      #expect(throws: FiefError.self) { try book.value(of: "nothing") }
      let links = try store.objects(linkingTo: "Author", forKey: "Ada")
      #expect(links.map(\.property) == ["author"])
      #expect(try store.object(ofType: "Author", forKey: "Nobody") == nil)
    }
  }

  @Test("Objects in the order of their keys, from any of them on")
  func enumerating() throws {
    try withLibrary { _, store in
      try store.write { transaction in
        for number in 0..<500 { try transaction.put("Author", ["name": String(1000 + number)]) }
      }
      var names: [String] = []
      try store.forEach(ofType: "Author") { names.append($0["name"] as? String ?? "") }
      let all: [String] = (1000..<1500).map { "\($0)" } + ["Ada"]
      #expect(names == all)
      let after = try store.read { try $0.key(ofType: "Author", text: "1399x") }
      names = []
      try store.forEach(ofType: "Author", after: after, limit: 70) {
        names.append($0["name"] as? String ?? "")
      }
      let part: [String] = (1400..<1470).map { "\($0)" }
      #expect(names == part)
      // The closure of a write may change what it walks over.
      try store.write { transaction in
        try transaction.forEach(ofType: "Author") { object in
          if object["born"] == nil, let key = object.key { try transaction.delete("Author", forKey: key) }
        }
      }
      #expect(try store.count(of: "Author") == 1)
    }
  }

  @Test("What is put is what the application reads, with its indexes and inverses")
  func putting() throws {
    try withLibrary { library, store in
      let other = UUID()
      try store.write { transaction in
        #expect(try transaction.put("Author", ["name": "Bob"]).outcome == .inserted)
        let ada = DynamicLink(typeName: "Author", key: try transaction.key(ofType: "Author", from: "Ada"))
        try transaction.put(
          "Book",
          [
            "id": other, "title": "More", "author": "Bob", "tags": ["b", "a", "b"],
            "cover": ["colour": "red", "artist": ada],
            "reviews": [1],
          ]
        )
        // The link is not yet committed, but visible in the transaction.
        #expect(try transaction.objects(linkingTo: "Author", forKey: "Bob").count == 1)
      }
      let book = try #require(library.object(ofType: Model.Book.self, forPrimaryKey: other))
      #expect(book.author?.books.map(\.title) == ["More"])
      #expect(Array(book.tags).sorted() == ["a", "b"])
      #expect(book.cover?.colour == "red")
      #expect(book.cover?.artist?.born == 1815)
      #expect(book.reviews.map(\.stars) == [4])
      try store.write { transaction in
        let merged = try transaction.put("Book", ["id": other, "title": "Most"], onConflict: .merge)
        #expect(merged.outcome == .merged)
        #expect(try transaction.put("Book", ["id": other], onConflict: .skip).outcome == .skipped)
        #expect(throws: FiefError.self) { try transaction.put("Book", ["id": other]) }
      }
      #expect(library.object(ofType: Model.Book.self, forPrimaryKey: other)?.author?.name == "Bob")
      try store.write { _ = try $0.put("Book", ["id": other], onConflict: .replace) }
      let replaced = try #require(library.object(ofType: Model.Book.self, forPrimaryKey: other))
      // The class's own default is not known to the store.
      #expect(replaced.title == "")
      #expect(replaced.author == nil)
      try store.write { transaction in
        let isThere = try transaction.delete("Author", forKey: "Ada")
        let isThereStill = try transaction.delete("Author", forKey: "Ada")
        #expect(isThere && !isThereStill)
      }
      #expect(library.object(ofType: Model.Book.self, forPrimaryKey: id)?.author == nil)
    }
  }

  @Test("A wrong put changes nothing, and the transaction continues")
  func wrongValues() throws {
    try withLibrary { _, store in
      func code(_ type: String, _ values: [String: Any?], rowID: Int? = nil) throws -> FiefError.Code? {
        try store.write { transaction in
          do {
            try transaction.put(type, values, rowID: rowID)
            return nil
          } catch let error as FiefError {
            #expect(error.store == "library")
            return error.code
          }
        }
      }
      let puts: [(type: String, values: [String: Any?], rowID: Int?, code: FiefError.Code?)] = [
        ("Nothing", [:], nil, .unknownType),
        ("Cover", ["colour": "red"], nil, .invalidValue),
        ("Author", ["name": "x", "age": 3], nil, .unknownProperty),
        ("Author", ["name": 3], nil, .invalidValue),
        ("Author", ["name": nil], nil, .missingValue),
        ("Author", ["born": 1900], nil, .missingPrimaryKey),
        ("Author", ["name": String(repeating: "x", count: 600)], nil, .primaryKeyTooLong),
        ("Author", ["name": "x", "books": []], nil, .invalidValue),
        ("Author", ["name": "Ada"], nil, .duplicatePrimaryKey),
        ("Author", ["name": "x"], 3, .unknownProperty),
        ("Book", ["title": nil], nil, .missingValue),
        ("Book", ["author": "Nobody"], nil, .objectNotFound),
        ("Book", ["cover": ["artist": "Nobody"]], nil, .objectNotFound),
        ("Book", ["cover": ["size": 3]], nil, .unknownProperty),
        ("Book", ["tags": "a"], nil, .invalidValue),
        ("Book", ["tags": [nil]], nil, .missingValue),
        ("Review", ["stars": 200], nil, .invalidValue),
        ("Review", [:], 50, .invalidValue),
        ("Review", [:], 1, .duplicatePrimaryKey),
        ("Review", [:], 1000, nil),
      ]
      for put in puts {
        let found = try code(put.type, put.values, rowID: put.rowID)
        #expect(found == put.code, "\(put)")
      }
      #expect(try store.count(of: "Author") == 1)
      #expect(try store.count(of: "Book") == 1)
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try store.write { transaction in
          try transaction.put("Author", ["name": "Undone"])
          throw Stop()
        }
      }
      #expect(try store.object(ofType: "Author", forKey: "Undone") == nil)
    }
  }

  @Test("Compound keys of object ids and optional numbers, as values and as text")
  func keys() throws {
    try withLibrary { library, store in
      let loan = try #require(ObjectId("507f1f77bcf86cd799439011"))
      try store.write { transaction in
        try transaction.put("Loan", ["id": loan, "shelf": 7, "note": "seven"])
        try transaction.put("Loan", ["id": loan, "note": "none"])
      }
      #expect(library.object(ofType: Model.Loan.self, forPrimaryKey: [loan, Int16(7)])?.note == "seven")
      try store.read { snapshot in
        let texts = [
          "507f1f77bcf86cd799439011,7": "seven", #"["507f1f77bcf86cd799439011", 7]"#: "seven",
          #"["507f1f77bcf86cd799439011",null]"#: "none",
        ]
        for (text, note) in texts {
          let key = try snapshot.key(ofType: "Loan", text: text)
          let object = try #require(try snapshot.object(ofType: "Loan", forKey: key))
          #expect(object["note"] as? String == note)
          let written = try snapshot.text(of: key, ofType: "Loan")
          let again = try snapshot.key(ofType: "Loan", text: written)
          #expect(again == key)
        }
        let values: [Any?] = [loan, nil]
        let object = try snapshot.object(ofType: "Loan", forKey: values)
        #expect(object?["note"] as? String == "none")
        let author = try snapshot.key(ofType: "Author", from: "Ada")
        #expect(throws: FiefError.self) { try snapshot.object(ofType: "Loan", forKey: author) }
        #expect(throws: FiefError.self) { try snapshot.key(ofType: "Loan", text: "507f1f77bcf86cd799439011") }
      }
    }
  }

  @Test("Numbers that an import brings are not given out again")
  func rowIDs() throws {
    try withLibrary { library, store in
      try store.write { _ = try $0.put("Review", ["stars": 1], rowID: 500) }
      try library.write { transaction in
        for _ in 0..<1000 { try transaction.add(Model.Review()) }
      }
      #expect(try store.object(ofType: "Review", forKey: 500)?["stars"] as? Int == 1)
      #expect(try store.count(of: "Review") == 1003)
    }
  }

  @Test("Read-only stores refuse writing; closed ones everything; scopes end")
  func refusals() throws {
    try withLibrary { _, store in
      let reader = try DynamicStore(directory: store.directory)
      #expect(throws: FiefError.self) { try reader.write { _ in } }
      #expect(throws: FiefError.self) { try reader.compact() }
      #expect(try reader.count(of: "Book") == 1)
      reader.close()
      #expect(throws: FiefError.self) { try reader.count(of: "Book") }
      let escaped = try store.read { $0 }
      #expect(throws: FiefError.self) { try escaped.count(of: "Book") }
      #expect(throws: FiefError.self) { try DynamicStore(directory: store.directory + "-nothing") }
    }
  }

  @Test("Sizes of trees, and how full their pages are")
  func statistics() throws {
    try withLibrary { _, store in
      try store.write { transaction in
        for number in 0..<5000 {
          try transaction.put("Author", ["name": "Author \(number)", "born": number])
        }
      }
      let statistics = try store.statistics(measuringFill: true)
      let records = try #require(
        statistics.trees.first { $0.typeName == "Author" && $0.purpose == .records }
      )
      #expect(records.entries == 5001)
      #expect(records.depth == 2)
      let fill = try #require(records.fill)
      #expect(fill > 0.4 && fill <= 1)
      #expect(
        statistics.trees.contains { $0.purpose == .index && $0.property == "born" && $0.entries == 5001 }
      )
      #expect(statistics.trees.contains { $0.purpose == .backlinks && $0.property == "author" })
      #expect(statistics.trees.last?.purpose == .catalogue)
      #expect(try store.statistics().trees.allSatisfy { $0.fill == nil })
      #expect(try store.verifyStructure() > 10_000)
    }
  }

  @Test("JSON goes in as it comes out")
  func json() throws {
    try withLibrary { _, store in
      let book = try #require(try store.object(ofType: "Book", forKey: id))
      let json = try book.json()
      try store.write { transaction in
        try transaction.delete("Book", forKey: id)
        #expect(try transaction.put("Book", json: json).key == book.key)
      }
      #expect(try store.object(ofType: "Book", forKey: id)?.json() == json)
      #expect(throws: FiefError.self) { try store.write { _ = try $0.put("Book", json: "{") } }
    }
  }

  @Test("A copy without a lock table is read without one, until a process writes to it")
  func withoutLockTable() throws {
    try withLibrary { _, store in
      let copy = store.directory + "-copy"
      try store.backup(to: copy)
      let reader = try DynamicStore(directory: copy)
      #expect(try reader.count(of: "Book") == 1)
      let lock = copy + "/lock.mdb"
      #expect(!FileManager.default.fileExists(atPath: lock))
      #expect(FileManager.default.createFile(atPath: lock, contents: nil))
      #expect(throws: FiefError.self) { try reader.count(of: "Book") }
      reader.close()
    }
  }
}
