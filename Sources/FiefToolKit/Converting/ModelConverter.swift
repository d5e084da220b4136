/// Rewrites the Realm model classes in a set of files to declarations with `@Persisted`.
///
/// It changes only the code that it recognizes, and leaves everything else unchanged.
struct ModelConverter {
  private var files: [FileConversion]
  private let classes: [RealmClass]
  private let models: Set<String>
  /// The properties whose values were accessed through `.value` before.
  private var unwrapped: Set<String> = []

  static func convert(_ sources: [SwiftSource]) -> [FileConversion] {
    var converter = ModelConverter(sources)
    converter.convertClasses()
    for file in sources.indices { converter.finish(file) }
    for (file, source) in sources.enumerated() {
      guard let overlap = converter.files[file].edits.overlap else { continue }
      // Parts of the file's classes in other files must not change on their own.
      var others = sources
      others.remove(at: file)
      var left = FileConversion(source: source, isLeft: true)
      left.note(source.line(at: overlap), "the file was not converted: two changes would overlap here")
      var result = convert(others)
      result.insert(left, at: file)
      return result
    }
    return converter.files
  }

  private init(_ sources: [SwiftSource]) {
    files = sources.map { FileConversion(source: $0) }
    classes = sources.indices.flatMap { RealmClass.all(in: sources[$0], file: $0) }
    models = Self.models(of: classes)
  }

  /// Returns the names of the classes that inherit from Realm's classes, directly or indirectly.
  private static func models(of classes: [RealmClass]) -> Set<String> {
    var models: Set<String> = []
    while true {
      let more = classes.filter { entry in
        entry.base.map { RealmClass.roots.contains($0) || models.contains($0) } ?? false
      }
      let names = Set(more.map(\.name))
      if names == models { return models }
      models = names
    }
  }

  private func isModel(_ entry: RealmClass) -> Bool {
    entry.base.map { RealmClass.roots.contains($0) || models.contains($0) } ?? false
  }

  private mutating func convertClasses() {
    for entry in classes {
      guard isModel(entry) else {
        if entry.base == nil, models.contains(entry.name), !isOnly(entry.name) { noteMethods(of: entry) }
        noteUnknownBase(of: entry)
        continue
      }
      let extensions = isOnly(entry.name) ? classes.filter { $0.name == entry.name && $0.base == nil } : []
      var conversion = ClassConversion(entry, extensions, files)
      conversion.convert()
      files = conversion.files
      unwrapped.formUnion(conversion.unwrapped)
    }
  }

  /// Whether only one class has the name, so that extensions with the name belong to it.
  private func isOnly(_ name: String) -> Bool {
    classes.count { $0.name == name && $0.base != nil } == 1
  }

  /// Adds notes for the methods of an extension whose class is ambiguous.
  private mutating func noteMethods(of part: RealmClass) {
    let source = files[part.file].source
    for method in part.declarations.compactMap({ ModelMethod($0, of: source, file: part.file) }) {
      files[part.file].note(
        source.line(ofToken: method.declaration.keyword),
        "\(method.kind.rawValue)() was not converted: several classes have the name \(part.name); move it into its class"
      )
    }
  }

  /// Adds a note if a class may inherit from a model in a file that was not given.
  private mutating func noteUnknownBase(of entry: RealmClass) {
    let source = files[entry.file].source
    guard let base = entry.base, !base.isEmpty, !base.hasPrefix("NS"), !base.hasPrefix("UI"),
      source.tokens.contains(where: { $0.text == "RealmSwift" }),
      entry.declarations.contains(where: { declaration in
        ModelMethod(declaration, of: source, file: entry.file) != nil
          || !declaration.bindings.isEmpty && source.modifier("dynamic", of: declaration) != nil
      })
    else { return }
    files[entry.file].note(
      source.line(ofToken: entry.keyword),
      "class \(entry.name) was not converted: its superclass \(base) is in no given file; add that file"
    )
  }

  // MARK: Code outside classes

  private mutating func finish(_ file: Int) {
    let source = files[file].source
    for index in source.tokens.indices {
      switch source.text(index) {
      case _ where source.tokens[index].kind == .directive:
        files[file].convert(condition: source.tokens[index])
      case "RealmSwift": rename(index, file)
      case "import" where source.text(index + 1) == "Realm":
        files[file].note(
          source.line(ofToken: index),
          "'import Realm' was not converted: there is no Objective-C module"
        )
      case "value"
      where source.text(index - 1) == "." && index > 1 && unwrapped.contains(source.tokens[index - 2].name):
        let name = source.tokens[index - 2].name
        files[file].note(
          source.line(ofToken: index),
          "'\(name).value' was not converted: write '\(name)' if this is the converted property"
        )
      case "enum": removeObjectiveC(ofEnumeration: index, file)
      case "#keyPath" where models.contains(source.text(index + 2)) || isInModel(index, file):
        let path = source.text(of: index + 2..<source.partner(of: index + 1))
        let isGone = files[file].edits.contains { $0.range.contains(source.tokens[index].range.lowerBound) }
        if isGone { break }
        files[file].note(
          source.line(ofToken: index),
          "'#keyPath(\(path))' was not converted: it needs Objective-C; write the name as a string"
        )
      default: break
      }
    }
    files[file].edits = files[file].edits.ordered
    files[file].notes.sort { $0.line < $1.line }
  }

  /// Whether a token is in a declaration of a model.
  private func isInModel(_ index: Int, _ file: Int) -> Bool {
    classes.contains { entry in
      entry.file == file && (isModel(entry) || entry.base == nil && models.contains(entry.name))
        && entry.declarations.contains { $0.tokens.contains(index) }
    }
  }

  /// Removes `@objc` from an enumeration that models can store.
  private mutating func removeObjectiveC(ofEnumeration index: Int, _ file: Int) {
    let source = files[file].source
    let name = source.text(index + 1)
    guard
      let attribute = RealmClass.attributes(of: source, before: index).first(where: { $0.name == "objc" }),
      source.conformances(at: index).contains(where: Self.enumerations.contains)
        || enumerationExtensions.contains(name)
    else { return }
    files[file].remove(attribute.tokens)
  }

  /// The names of the types that an extension makes storable as enumerations.
  private var enumerationExtensions: Set<String> {
    var names: Set<String> = []
    for source in files.map(\.source) {
      for index in source.tokens.indices
      where source.text(index) == "extension"
        && source.conformances(at: index).contains(where: Self.enumerations.contains)
      {
        names.insert(source.text(index + 1))
      }
    }
    return names
  }

  private static let enumerations: Set<String> = ["RealmEnum", "PersistableEnum"]

  /// Renames the module to `FiefRealm`. If a single declaration of Realm was imported, imports the whole
  /// module.
  private mutating func rename(_ index: Int, _ file: Int) {
    let source = files[file].source
    var range = source.tokens[index].range
    if files[file].edits.contains(where: { $0.range.overlaps(range) }) { return }
    let kinds = ["class", "struct", "enum", "protocol", "typealias", "func", "let", "var"]
    if index > 1, kinds.contains(source.text(index - 1)), source.text(index - 2) == "import",
      source.text(index + 1) == "."
    {
      range = source.tokens[index - 1].range.lowerBound..<source.tokens[index + 2].range.upperBound
    }
    files[file].replace(range, with: "FiefRealm")
  }
}
