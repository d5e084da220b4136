import Fief

/// Checks a value that is to be written, and converts it to the form in which a tree has it.
///
/// Every check runs before the transaction of the write begins.
struct TreeValueBuilder {
  /// The maximum size of a text in bytes.
  static let longestText = 10_485_760
  /// The maximum size of one write in bytes: its paths, and its values as compact JSON.
  static let largestWrite = 16_777_216

  /// The size of the write so far.
  private(set) var size = 0
  /// The names from the root to the value, for errors and for the depth.
  private var names: [String] = []

  /// Converts a value at a path.
  ///
  /// - Returns: `nil` if nothing is left to write: the value is null or empty at every level.
  /// - Throws: `FiefError` of code `invalidTreeKey`, `treeTooDeep`, `valueTooLarge` or `invalidValue`.
  mutating func build(_ value: JSON, at path: TreePath) throws(FiefError) -> TreeValue? {
    names = path.names
    try add(path.text.utf8.count)
    return try build(value)
  }

  private mutating func build(_ value: JSON) throws(FiefError) -> TreeValue? {
    switch value {
    case .null:
      try add(4)
      return nil
    case .bool(let truth):
      try add(truth ? 4 : 5)
      return .leaf(.bool(truth))
    case .int(let number):
      try add(String(number).utf8.count)
      return .leaf(.int(number))
    case .double(let number):
      guard number.isFinite else { throw error(.invalidValue, "A number is infinite or not a number.") }
      try add(FloatText.text(number).utf8.count)
      return .leaf(.double(number))
    case .string(let text):
      if text.utf8.count > Self.longestText {
        throw error(.valueTooLarge, "A text is longer than \(Self.longestText) bytes.")
      }
      try add(Self.size(of: text))
      return .leaf(.string(text))
    case .array(let elements): return try build(elements)
    case .object(let object): return try build(object)
    }
  }

  private mutating func build(_ elements: [JSON]) throws(FiefError) -> TreeValue? {
    try add(elements.isEmpty ? 2 : elements.count + 1)
    var children: [TreeChild] = []
    for (index, element) in elements.enumerated() {
      let name = String(index)
      if let value = try build(element, named: name) { children.append(TreeChild(name: name, value: value)) }
    }
    return children.isEmpty ? nil : .node(children)
  }

  private mutating func build(_ object: JSONObject) throws(FiefError) -> TreeValue? {
    if let special = try special(object) { return special.value }
    try add(object.isEmpty ? 2 : object.count + 1)
    var children: [TreeChild] = []
    children.reserveCapacity(object.count)
    for member in object.members {
      try TreeName.check(member.name, path: (names + [member.name]).joined(separator: "/"))
      try add(Self.size(of: member.name) + 1)
      if let value = try build(member.value, named: member.name) {
        children.append(TreeChild(name: member.name, value: value))
      }
    }
    return children.isEmpty ? nil : .node(children)
  }

  private mutating func build(_ value: JSON, named name: String) throws(FiefError) -> TreeValue? {
    if case .null = value {
      try add(4)
      return nil
    }
    names.append(name)
    // An object deeper than this would have children that are deeper still.
    if names.count > TreePath.mostNames {
      throw error(.treeTooDeep, "A value reaches more than \(TreePath.mostNames) names below the root.")
    }
    let result = try build(value)
    names.removeLast()
    return result
  }

  // MARK: Reserved names

  private struct Special { let value: TreeValue? }

  /// Returns the meaning of an object with a reserved name; `nil` for other objects.
  private mutating func special(_ object: JSONObject) throws(FiefError) -> Special? {
    // A dot sorts before all characters of names except for the minus of integers, but other names with a dot
    // are possible here too. The check of names refuses them.
    let isValue = object.contains(name: ServerValue.valueName)
    let isServerValue = object.contains(name: ServerValue.name)
    guard isValue || isServerValue else { return nil }
    guard object.count == 1 else {
      throw key(
        "A reserved name must be the only name of its object.",
        isValue ? ServerValue.valueName : ServerValue.name
      )
    }
    if isValue {
      var value = object[0].value
      try add(ServerValue.valueName.utf8.count + 5)
      // These objects add no name, so the limit of names would not end a recursion.
      while case .object(let inner) = value, inner.count == 1, inner.contains(name: ServerValue.valueName) {
        try add(ServerValue.valueName.utf8.count + 5)
        value = inner[0].value
      }
      return Special(value: try build(value))
    }
    let leaf = try serverValue(object[0].value)
    try add(JSON.object(object).text().utf8.count)
    return Special(value: .leaf(leaf))
  }

  private func serverValue(_ value: JSON) throws(FiefError) -> TreeLeaf {
    switch value {
    case .string(let text) where text.hasSameBytes(as: ServerValue.timestampName): return .timestamp
    case .object(let members)
    where members.count == 1 && members[0].name.hasSameBytes(as: ServerValue.incrementName):
      switch members[0].value {
      case .int: return .increment(members[0].value)
      case .double(let amount) where amount.isFinite: return .increment(members[0].value)
      default: throw key("The amount of an increment is not a number.", ServerValue.name)
      }
    default: throw key("A value of the server is unknown.", ServerValue.name)
    }
  }

  // MARK: Errors and sizes

  private func key(_ message: String, _ name: String) -> FiefError {
    TreeName.invalid(message, path: names.joined(separator: "/"), ["name: " + HiddenValue.text(name)])
  }

  private func error(_ code: FiefError.Code, _ message: String) -> FiefError {
    FiefError(code, message, details: ["path: " + HiddenValue.text(names.joined(separator: "/"))])
  }

  private mutating func add(_ bytes: Int) throws(FiefError) {
    size += bytes
    if size > Self.largestWrite {
      throw error(.valueTooLarge, "A write is larger than \(Self.largestWrite) bytes as JSON.")
    }
  }

  /// Returns the size of a text in JSON, with its quotes and escapes.
  private static func size(of text: String) -> Int {
    var size = 2
    for byte in text.utf8 {
      switch byte {
      case 0x22, 0x5C, 0x0A, 0x0D, 0x09: size += 2
      case 0..<0x20, 0x7F: size += 6
      default: size += 1
      }
    }
    return size
  }
}
