/// One version of a store's schema: its name, and the change of the data from the previous version.
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
/// Put each step into its own file, in a folder for each domain; the folder is then the history of a schema.
/// A ``MigrationPlan`` runs the steps.
///
/// A step is written against the classes of its own version. As long as it is the newest step, these are the
/// repository's classes. When a later version changes them in a way that breaks the step, freeze them: copy
/// them into the step and name them in ``objectTypes``. The step then always works with exactly these
/// classes.
///
/// Consecutive steps without their own classes work with the same schema. If they run in one migration, the
/// old objects of each are the objects from before the first of them. If a step needs the objects that the
/// previous step produced as its old objects, freeze the classes of the previous step.
public protocol MigrationStep: Sendable {
  /// The schema version to which the step leads.
  static var version: UInt64 { get }
  /// A short name, for lists.
  static var name: String { get }
  /// The purpose of the step, in one sentence.
  static var description: String { get }
  /// The classes of this version, or `nil` for the classes of the next step that declares some, or else the
  /// repository's.
  static var objectTypes: [Object.Type]? { get }
  /// The embedded classes of this version, or `nil` for the embedded classes that ``objectTypes`` use.
  static var embeddedObjectTypes: [EmbeddedObject.Type]? { get }
  /// Performs the changes of the step that go beyond adding and removing types and properties.
  static func migrate(_ migration: Migration) throws
}

extension MigrationStep {
  /// The classes of the next step that declares some, or else the repository's.
  public static var objectTypes: [Object.Type]? { nil }
  /// The embedded classes that ``objectTypes`` use.
  public static var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  /// Does nothing, because the differences between the classes are enough.
  public static func migrate(_ migration: Migration) throws {}
}
