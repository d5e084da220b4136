// The names are Realm's own, and its documentation describes them. Tests alone use this stand-in.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
/// A realm in memory.
public struct Realm {
  /// The objects of a realm.
  public final class File {
    public let schema: Schema
    public private(set) var objects: [String: [Object]] = [:]
    /// How many accessors were made by iterating over results.
    public fileprivate(set) var accessors = 0

    public init(_ schemas: [ObjectSchema]) { schema = Schema(objectSchema: schemas) }

    public func add(_ object: Object) {
      let name = type(of: object).className()
      guard let schema = schema[name] else { preconditionFailure("no \(name)") }
      object.objectSchema = schema
      object.row = objects[name]?.count ?? 0
      objects[name, default: []].append(object)
    }
  }

  public struct Configuration {
    public let file: File

    public init(_ file: File) { self.file = file }
  }

  private let file: File

  public init(configuration: Configuration) throws { file = configuration.file }

  public var schema: Schema { file.schema }

  public func freeze() -> Realm { self }

  public func objects<Element: Object>(_ type: Element.Type) -> Results<Element> {
    Results(file, type.className())
  }

  public func dynamicObjects(_ typeName: String) -> Results<DynamicObject> { Results(file, typeName) }
}

public struct Results<Element: Object>: Sequence {
  private let file: Realm.File
  private let name: String

  fileprivate init(_ file: Realm.File, _ name: String) { (self.file, self.name) = (file, name) }

  private var objects: [Object] { file.objects[name] ?? [] }

  public var count: Int { objects.count }

  public func makeIterator() -> AnyIterator<Element> {
    var rest = objects.makeIterator()
    return AnyIterator { [file] in
      guard let object = rest.next() else { return nil }
      file.accessors += 1
      // Realm does the same for dynamic objects of classes that exist.
      return unsafeBitCast(object as AnyObject, to: Element.self)
    }
  }

  /// Realm finds the place by the key of the row.
  public func index(of object: Element) -> Int? {
    objects.indices.contains(object.row) && objects[object.row] === object ? object.row : nil
  }
}

#if !canImport(ObjectiveC)
  public func autoreleasepool<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
#endif
