/// One version of a store's schema: its name, and the change of the data from the version before it.
///
/// ```swift
/// enum PetsVersion2: MigrationStep {
///   static let version: UInt64 = 2
///   static let name = "toys of their own"
///   static let description = "The list of toy names of a dog becomes objects."
///   static func migrate(_ migration: Migration) throws {
///     migration.enumerateObjects(ofType: "Dog") { old, new in ... }
///   }
/// }
/// ```
/// A file for each, in a folder for each domain, is the history of a schema; a ``MigrationPlan`` runs it.
///
/// A step is written against the classes of its own version. While it is the newest, those are the
/// repository's. When a later version changes them in a way that breaks the step, they are frozen: copied
/// into the step, and named in ``objectTypes``. The step keeps working on exactly these.
///
/// Steps without classes that follow each other work on the same schema, and when they run in one migration all
/// of them see as old objects those from before the first of them. A step whose old objects have to be those
/// that the step before it has made needs that one's classes frozen.
public protocol MigrationStep: Sendable {
  /// The schema version that the step leads to.
  static var version: UInt64 { get }
  /// A short name, for lists.
  static var name: String { get }
  /// The purpose of the step, in a sentence.
  static var description: String { get }
  /// The classes of this version; nil for those of the next step that has some, or the repository's.
  static var objectTypes: [Object.Type]? { get }
  /// The embedded classes of this version; nil for those that ``objectTypes`` use.
  static var embeddedObjectTypes: [EmbeddedObject.Type]? { get }
  /// Does the changes of the step beyond adding and removing.
  static func migrate(_ migration: Migration) throws
}

extension MigrationStep {
  /// The classes of the next step that has some, or the repository's.
  public static var objectTypes: [Object.Type]? { nil }
  /// The embedded types that ``objectTypes`` use.
  public static var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  /// Nothing: the differences of the classes say it all.
  public static func migrate(_ migration: Migration) throws {}
}
