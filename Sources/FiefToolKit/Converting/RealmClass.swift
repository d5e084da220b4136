/// A class, or an extension of a class, that may be a Realm model.
struct RealmClass {
  /// The index of the file in the list of files.
  let file: Int
  let name: String
  /// The first type from which the class inherits, without its module, or `nil` for an extension.
  let base: String?
  /// The index of the token `class` or `extension`.
  let keyword: Int
  let attributes: [SwiftDeclaration.Attribute]
  let declarations: [SwiftDeclaration]

  /// The Realm classes from which models inherit.
  static let roots: Set<String> = [
    "Object", "EmbeddedObject", "RealmSwiftObject", "RealmSwiftEmbeddedObject",
  ]

  /// Finds the classes and extensions in a file, including nested ones.
  static func all(in source: SwiftSource, file: Int) -> [RealmClass] {
    source.tokens.indices.compactMap { RealmClass(source, at: $0, file: file) }
  }

  private init?(_ source: SwiftSource, at keyword: Int, file: Int) {
    let isExtension = source.text(keyword) == "extension"
    guard isExtension || source.text(keyword) == "class", source.tokens.indices.contains(keyword + 1),
      source.tokens[keyword + 1].kind == .word, source.text(keyword - 1) != "."
    else { return nil }
    if ["func", "var", "let", "subscript", "final", "override", "dynamic"].contains(source.text(keyword + 1))
    {
      return nil
    }
    let head = Self.head(of: source, from: keyword + 1)
    guard let brace = head.brace else { return nil }
    self.file = file
    self.keyword = keyword
    name = head.name
    base = isExtension ? nil : head.base ?? ""
    attributes = Self.attributes(of: source, before: keyword)
    declarations = SwiftMemberParser.declarations(of: source, in: brace + 1..<source.partner(of: brace))
  }

  /// Parses `Outer.Dog<T>: RealmSwift.Object, Codable where … {`.
  private static func head(of source: SwiftSource, from start: Int) -> (
    name: String, base: String?, brace: Int?
  ) {
    var index = start
    /// Consumes `Module.Name` and returns its last part.
    func name() -> String {
      while source.text(index + 1) == "." { index += 2 }
      index += 1
      return source.tokens.indices.contains(index - 1) ? source.tokens[index - 1].name : ""
    }
    let own = name()
    var depth = 0
    while source.text(index) == "<" || depth > 0, index < source.tokens.count {
      if source.text(index) == "<" { depth += 1 }
      if source.text(index) == ">" { depth -= 1 }
      index += 1
    }
    var base: String?
    if source.text(index) == ":" {
      index += 1
      base = name()
    }
    while index < source.tokens.count, !["}", ";"].contains(source.text(index)) {
      if source.text(index) == "{" { return (own, base, index) }
      if source.tokens[index].kind == .directive { break }
      index = max(source.partner(of: index), index) + 1
    }
    return (own, base, nil)
  }

  /// Returns the attributes before a class or an enumeration, among its modifiers.
  static func attributes(of source: SwiftSource, before keyword: Int) -> [SwiftDeclaration.Attribute] {
    var result: [SwiftDeclaration.Attribute] = []
    var end = keyword
    while end > 0 {
      if ["public", "open", "internal", "fileprivate", "private", "package", "final"].contains(
        source.text(end - 1)
      ) {
        end -= 1
        continue
      }
      let hasArguments = source.text(end - 1) == ")"
      let name = hasArguments ? source.partner(of: end - 1) - 1 : end - 1
      guard name > 0, source.text(name - 1) == "@" else { break }
      let tokens = name - 1..<end
      result.append(.init(name: source.text(name), hasArguments: hasArguments, tokens: tokens))
      end = name - 1
    }
    return result
  }
}
