import Fief

/// A tree of folders, files in it, and tags of these.
final class RuleFolder: Object {
  @Persisted(primaryKey: true) var path = ""
  @Persisted var parent: RuleFolder?
  @Persisted var pinned: List<RuleFile>
  @Persisted(originProperty: "parent") var folders: LinkingObjects<RuleFolder>
  @Persisted(originProperty: "folder") var files: LinkingObjects<RuleFile>

  override class func relationships() -> [Relationship] {
    [Relationship("folders", deleteRule: .cascade), Relationship("files", deleteRule: .cascade)]
  }

  convenience init(_ path: String, in parent: RuleFolder? = nil) {
    self.init()
    self.path = path
    self.parent = parent
  }
}

/// No primary key.
final class RuleFile: Object {
  @Persisted(indexed: true) var name = ""
  @Persisted var folder: RuleFolder?
  @Persisted var pages: List<RulePage>

  override class func relationships() -> [Relationship] { [Relationship("pages", deleteRule: .cascade)] }

  convenience init(_ name: String, in folder: RuleFolder?) {
    self.init()
    self.name = name
    self.folder = folder
  }
}

final class RulePage: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var next: RulePage?
  @Persisted var author: RuleAuthor?

  override class func relationships() -> [Relationship] {
    [Relationship(\RulePage.next, deleteRule: .cascade)]
  }

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// An author with books cannot be deleted; other links to one are left alone.
final class RuleAuthor: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var home: RuleHome?
  @Persisted(originProperty: "authors") var books: LinkingObjects<RuleBook>
  @Persisted(originProperty: "reader") var loans: LinkingObjects<RuleLoan>
  @Persisted(originProperty: "readers") var clubs: LinkingObjects<RuleClub>

  override class func relationships() -> [Relationship] {
    [
      Relationship("books", deleteRule: .deny), Relationship("loans", deleteRule: .noAction),
      Relationship("clubs", deleteRule: .noAction), Relationship("home", deleteRule: .deny),
    ]
  }

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class RuleHome: Object {
  @Persisted(primaryKey: true) var street = ""

  convenience init(_ street: String) {
    self.init()
    self.street = street
  }
}

final class RuleBook: Object {
  @Persisted(primaryKey: true) var isbn = ""
  @Persisted var authors: List<RuleAuthor>

  convenience init(_ isbn: String, _ authors: [RuleAuthor]) {
    self.init()
    self.isbn = isbn
    self.authors = List(authors)
  }
}

final class RuleLoan: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var days = 0
  @Persisted var reader: RuleAuthor?

  convenience init(_ id: Int, _ reader: RuleAuthor?) {
    self.init()
    self.id = id
    self.reader = reader
  }
}

final class RuleClub: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var readers: List<RuleAuthor>
  @Persisted var byRole: Map<String, RuleAuthor?>

  convenience init(_ name: String, _ readers: [RuleAuthor]) {
    self.init()
    self.name = name
    self.readers = List(readers)
  }
}

enum RuleTypes {
  static let folders: [Object.Type] = [RuleFolder.self, RuleFile.self, RulePage.self, RuleAuthor.self]
  static let all: [Object.Type] =
    folders + [RuleHome.self, RuleBook.self, RuleLoan.self, RuleClub.self]
}
