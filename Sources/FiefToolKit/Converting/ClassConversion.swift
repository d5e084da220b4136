/// Rewrites one model class and its extensions.
struct ClassConversion {
  var files: [FileConversion]
  /// The properties whose values were accessed through `.value` before.
  var unwrapped: Set<String> = []

  private let entry: RealmClass
  private let extensions: [RealmClass]
  /// The index of the file of the part that is being converted.
  private var current: Int
  private var methods: [ModelMethod] = []
  private(set) var primaryKey: Set<String> = []
  private(set) var indexed: Set<String> = []
  private(set) var ignored: Set<String> = []
  /// The names in `ignoredProperties()` whose declarations were not converted.
  var leftIgnored: Set<String> = []
  /// Whether the class has `@Persisted` properties. Realm then stores no other properties of the class.
  let hasPersisted: Bool
  /// The properties of the class and its extensions, without inherited ones.
  private var own: Set<String> = []
  /// The properties that became `@Persisted`.
  private var converted: Set<String> = []

  init(_ entry: RealmClass, _ extensions: [RealmClass], _ files: [FileConversion]) {
    self.entry = entry
    self.extensions = extensions
    self.files = files
    current = entry.file
    hasPersisted = entry.declarations.contains { $0.attribute("Persisted") != nil }
    for part in [entry] + extensions {
      let source = files[part.file].source
      methods += part.declarations.compactMap { ModelMethod($0, of: source, file: part.file) }
      own.formUnion(part.declarations.flatMap { $0.bindings.map { source.tokens[$0.name].name } })
    }
    for method in methods where !method.declaration.isConditional {
      let names = Set(method.names ?? [])
      switch method.kind {
      case .primaryKey: primaryKey.formUnion(names)
      case .indexedProperties: indexed.formUnion(names)
      case .ignoredProperties: ignored.formUnion(names)
      }
    }
  }

  var file: FileConversion {
    get { files[current] }
    set { files[current] = newValue }
  }
  var source: SwiftSource { files[current].source }
  var hasObjectiveCMembers: Bool { entry.attributes.contains { $0.name == "objcMembers" } }

  mutating func convert() {
    keepUnclearKeys()
    for declaration in entry.declarations {
      if !declaration.bindings.isEmpty { convert(property: declaration) }
      if source.text(declaration.keyword) == "init" { noteInitializer(declaration) }
    }
    convertAttributes()
    for part in extensions {
      current = part.file
      // Properties in an extension are always computed.
      for declaration in part.declarations where !declaration.bindings.isEmpty {
        removeObjectiveC(of: declaration)
      }
    }
    for method in methods { finish(method) }
  }

  mutating func note(_ declaration: SwiftDeclaration, _ text: String) {
    let token = declaration.bindings.first?.name ?? declaration.keyword
    file.note(source.line(ofToken: token), text)
  }

  mutating func count(_ name: String) {
    converted.insert(name)
    file.properties += 1
  }

  // MARK: Methods

  /// If a method names properties that this class does not have, all of the method's names stay in the
  /// method.
  private mutating func keepUnclearKeys() {
    if !primaryKey.isSubset(of: own) { primaryKey = [] }
    if !indexed.isSubset(of: own) { indexed = [] }
  }

  private mutating func finish(_ method: ModelMethod) {
    let names = Set(method.names ?? [])
    let isDone =
      switch method.kind {
      case .primaryKey, .indexedProperties: method.names != nil && names.isSubset(of: converted)
      case .ignoredProperties:
        method.names != nil && names.isSubset(of: own) && names.isDisjoint(with: leftIgnored)
      }
    if isDone, !method.declaration.isConditional { return files[method.file].remove(method.declaration) }
    let reason =
      if method.declaration.isConditional {
        "it is inside of #if"
      } else if method.names == nil {
        "its names are not string literals"
      } else if method.kind == .ignoredProperties, !names.isSubset(of: own) {
        "not all of its names are properties of this class"
      } else {
        "not all of its names were converted"
      }
    let advice =
      switch method.kind {
      case .primaryKey: "write @Persisted(primaryKey: true) and remove it"
      case .indexedProperties: "it works unchanged; @Persisted(indexed: true) has the same effect"
      case .ignoredProperties:
        names.isSubset(of: own)
          ? "declare these properties without @Persisted, then remove the method"
          : "remove @Persisted from these properties, then remove the method"
      }
    let source = files[method.file].source
    files[method.file].note(
      source.line(ofToken: method.declaration.keyword),
      "\(method.kind.rawValue)() was not converted because \(reason): \(advice)"
    )
  }

  private mutating func noteInitializer(_ declaration: SwiftDeclaration) {
    let tokens = declaration.keyword..<declaration.tokens.upperBound
    guard let open = tokens.first(where: { source.text($0) == "(" }) else { return }
    let labels = source.elements(open + 1..<source.partner(of: open)).map { source.text($0.lowerBound) }
    guard labels == ["realm", "schema"] || labels == ["value", "schema"] else { return }
    file.note(
      source.line(ofToken: declaration.keyword),
      "init(\(labels[0]):\(labels[1]):) was not converted: the superclass does not have it; remove it"
    )
  }

  private mutating func convertAttributes() {
    for attribute in entry.attributes where ["objc", "objcMembers"].contains(attribute.name) {
      let name = attribute.hasArguments ? source.text(attribute.tokens.upperBound - 2) : entry.name
      if name == entry.name {
        file.remove(attribute.tokens)
      } else {
        file.note(
          source.line(ofToken: attribute.tokens.lowerBound),
          "@objc(\(name)) was not converted: use override class func className() -> String { \"\(name)\" }"
        )
      }
    }
  }
}
