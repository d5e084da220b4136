/// An initial value that creates a collection or a wrapper of Realm: `RealmSwift.List<Dog>()`, `.init()`.
struct InitializerCall {
  /// The name of the type, such as `List`. Empty for `.init()`.
  let type: String
  /// The text between the angle brackets.
  let generics: String?
  let arguments: [Range<Int>]

  init?(_ source: SwiftSource, _ tokens: Range<Int>) {
    let close = tokens.upperBound - 1
    guard tokens.count > 2, source.text(close) == ")" else { return nil }
    let open = source.partner(of: close)
    guard open > tokens.lowerBound else { return nil }
    var head = tokens.lowerBound..<open
    if head.count > 1, source.text(head.upperBound - 1) == "init", source.text(head.upperBound - 2) == "." {
      head = head.lowerBound..<head.upperBound - 2
    }
    if head.isEmpty {
      (type, generics) = ("", nil)
    } else {
      guard let name = TypeName(source, head) else { return nil }
      (type, generics) = (name.name, name.generics)
    }
    arguments = source.elements(open + 1..<close)
  }
}

/// The name of a type and the text between its angle brackets.
struct TypeName {
  let name: String
  let generics: String?

  /// - Returns: `nil` for optionals, arrays, functions and the like.
  init?(_ source: SwiftSource, _ tokens: Range<Int>) {
    var index = tokens.lowerBound
    if source.text(index) == "RealmSwift", source.text(index + 1) == "." { index += 2 }
    guard index < tokens.upperBound, source.tokens[index].kind == .word else { return nil }
    name = source.tokens[index].name
    index += 1
    guard index < tokens.upperBound else {
      generics = nil
      return
    }
    guard source.text(index) == "<", source.text(tokens.upperBound - 1) == ">", tokens.upperBound - index > 2
    else { return nil }
    generics = source.text(of: index + 1..<tokens.upperBound - 1)
  }
}
