/// A declaration in the body of a type.
struct SwiftDeclaration {
  /// `@objc`, `@objc(name)`, `@available(iOS 15, *)`.
  struct Attribute {
    let name: String
    let hasArguments: Bool
    let tokens: Range<Int>
  }

  /// One name of a property: `age: Int = 0 { didSet { } }`.
  struct Binding {
    /// The token of the name, or of the bracket of a tuple.
    let name: Int
    var type: Range<Int>?
    var initializer: Range<Int>?
    /// The braces of accessors or observers.
    var block: Range<Int>?
    var isComputed = false
  }

  var attributes: [Attribute] = []
  /// The tokens of the modifiers: `public`, `dynamic`, `private(set)`.
  var modifiers: [Int] = []
  /// The token of `var`, `let`, `func`, `init` and so on.
  var keyword = 0
  var bindings: [Binding] = []
  var tokens = 0..<0
  /// Whether it is inside of `#if`.
  var isConditional = false

  func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

extension SwiftSource {
  /// The token of a modifier of a declaration.
  func modifier(_ names: String..., of declaration: SwiftDeclaration) -> Int? {
    declaration.modifiers.first { names.contains(text($0)) }
  }
}
