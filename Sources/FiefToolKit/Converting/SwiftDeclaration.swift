/// A declaration in the body of a type.
struct SwiftDeclaration {
  /// An attribute such as `@objc`, `@objc(name)` or `@available(iOS 15, *)`.
  struct Attribute {
    let name: String
    let hasArguments: Bool
    let tokens: Range<Int>
  }

  /// One name of a property declaration, such as `age: Int = 0 { didSet { } }`.
  struct Binding {
    /// The index of the name's token, or of a tuple's bracket.
    let name: Int
    var type: Range<Int>?
    var initializer: Range<Int>?
    /// The braces of accessors or observers.
    var block: Range<Int>?
    var isComputed = false
  }

  var attributes: [Attribute] = []
  /// The indexes of the modifiers' tokens, such as `public`, `dynamic` and `private(set)`.
  var modifiers: [Int] = []
  /// The index of the token `var`, `let`, `func`, `init` and so on.
  var keyword = 0
  var bindings: [Binding] = []
  var tokens = 0..<0
  /// Whether the declaration is inside `#if`.
  var isConditional = false

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

extension SwiftSource {
  /// Returns the token of a declaration's modifier.
  func modifier(_ names: String..., of declaration: SwiftDeclaration) -> Int? {
    declaration.modifiers.first { names.contains(text($0)) }
  }
}
