/// One version of a store's schema, with its name and the change of the data from the previous version.
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
/// A step is written for the classes of its own version. As long as it is the newest step, these are the
/// repository's classes. When a later version changes them in a way that breaks the step, freeze them: copy
/// them into the step and list them in ``objectTypes``. The step then always uses exactly these classes.
///
/// Consecutive steps without their own classes share one schema. If they run in one migration, the old
/// objects of each step are the objects from before the first of these steps. If a step needs the objects of
/// the previous step as its old objects, freeze the classes of the previous step.
public protocol MigrationStep: Sendable {
  /// The schema version to which the step leads.
  static var version: UInt64 { get }
  /// A short name, for lists.
  static var name: String { get }
  /// The purpose of the step, in one sentence.
  static var description: String { get }
  /// The classes of this version. If the value is `nil`, they are the classes of the next step that declares
  /// its own, or of the repository if there is no such step.
  static var objectTypes: [Object.Type]? { get }
  /// The embedded classes of this version, or `nil` for the embedded classes that ``objectTypes`` use.
  static var embeddedObjectTypes: [EmbeddedObject.Type]? { get }
  /// Performs the changes of the step that go beyond adding and removing types and properties.
  static func migrate(_ migration: Migration) throws
}

extension MigrationStep {
  /// Returns `nil`: the step uses the classes of the next step that declares its own, or of the repository.
  public static var objectTypes: [Object.Type]? { nil }
  /// Returns `nil`: the step uses the embedded classes that ``objectTypes`` use.
  public static var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  /// Does nothing. Use this implementation if the differences between the classes are sufficient.
  public static func migrate(_ migration: Migration) throws {}
}
