package import Fief

/// Rules in JSON.
package struct RuleFile {
  /// The maximum size of a file in bytes.
  package static let largest = 262_144

  /// An index that the file declares.
  package struct Index: Sendable {
    /// The path of the places, or the name of the group.
    package let target: RulePattern
    package let isGroup: Bool
    /// The path of the child.
    package let path: String
    fileprivate let offset: Int

    /// Returns the line and the column of the declaration.
    ///
    /// - Parameter file: the bytes of the file.
    package func position(in file: UnsafeRawBufferPointer) -> [String] {
      JSONParser(file).malformed("", at: offset).details
    }
  }

  package fileprivate(set) var root = RuleNode()
  /// The read rules of groups, by name.
  package fileprivate(set) var groups: [ExactText: Rule] = [:]
  package fileprivate(set) var indexes: [Index] = []

  /// Reads a file: strict JSON with comments.
  ///
  /// - Throws: `FiefError` of code `malformedRules` with line and column.
  package init(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = RuleFileReader(bytes: bytes)
    do { try reader.read() } catch var error as FiefError {
      if error.code == .malformedJSON { error.code = .malformedRules }
      throw error
    }
    self = reader.file
  }

  fileprivate init() {}
}

private struct RuleFileReader {
  // SAFETY: the initializer of the file, whose caller guarantees the bytes, creates and uses the reader. Every
  // access is checked against their end.
  let bytes: UnsafeRawBufferPointer
  var file = RuleFile()

  mutating func read() throws {
    guard bytes.count <= RuleFile.largest else {
      throw FiefError(
        .malformedRules,
        "A file of rules is larger than \(RuleFile.largest) bytes.",
        details: ["line 1, column 1"]
      )
    }
    var parser = JSONParser(bytes, acceptsDuplicates: false, acceptsComments: true)
    var hasRules = false
    try parser.forEachMember { parser, name, start in
      switch name {
      case "rules":
        hasRules = true
        file.root = try readNode(&parser, RulePattern())
      case "groups": try readGroups(&parser)
      default: throw parser.malformed("A file of rules has 'rules' and 'groups'.", at: start)
      }
    }
    try parser.finish()
    guard hasRules else { throw parser.malformed("A file of rules needs 'rules'.") }
  }

  private mutating func readNode(_ parser: inout JSONParser, _ pattern: RulePattern) throws -> RuleNode {
    var node = RuleNode.Draft()
    try parser.forEachMember { parser, name, start in
      if name == ".indexOn" { return try readIndexes(&parser, pattern, isGroup: false) }
      if name.hasPrefix(".") {
        guard let kind = Rule.Kind(rawValue: name) else {
          throw parser.malformed("A kind of rules is unknown.", at: start)
        }
        return try node.add(try rule(kind, &parser, pattern))
      }
      do {
        try node.set(try readNode(&parser, try pattern.appending(name)), at: name)
      } catch let error as RulePathError {
        throw parser.malformed(error.message, at: start)
      }
    }
    return RuleNode(node)
  }

  private mutating func readGroups(_ parser: inout JSONParser) throws {
    try parser.forEachMember { parser, group, start in
      guard PlaceName.isValid(group) else {
        throw parser.malformed("The name of a group is invalid.", at: start)
      }
      let pattern = RulePattern(group: group)
      try parser.forEachMember { parser, name, start in
        switch name {
        case ".read": file.groups[ExactText(group)] = try rule(.read, &parser, pattern, isGroup: true)
        case ".indexOn": try readIndexes(&parser, pattern, isGroup: true)
        default: throw parser.malformed("A group has '.read' and '.indexOn'.", at: start)
        }
      }
    }
  }

  private func rule(
    _ kind: Rule.Kind,
    _ parser: inout JSONParser,
    _ pattern: RulePattern,
    isGroup: Bool = false
  ) throws -> Rule {
    let first = try parser.next()
    let start = parser.position
    let condition: Rule.Condition
    switch try parser.value() {
    case let value as Bool: condition = .constant(value)
    case let text as String where first == UInt8(ascii: "\""):
      let variables = RuleParser.Variables(kind: kind, isGroup: isGroup, pattern: pattern)
      do throws(RuleSyntaxError) { condition = .expression(try RuleParser.parse(text, variables)) } catch {
        throw parser.malformed(error.message, at: rawOffset(error.offset, inStringAt: start))
      }
    default: throw parser.malformed("A rule is a text, true or false.", at: start)
    }
    return Rule(kind, pattern, isGroup: isGroup, condition)
  }

  private mutating func readIndexes(_ parser: inout JSONParser, _ target: RulePattern, isGroup: Bool) throws {
    _ = try parser.next()
    let start = parser.position
    let value = try parser.value()
    for path in value as? [Any] ?? [value] {
      guard let path = path as? String else {
        throw parser.malformed("'.indexOn' is a text, or an array of texts.", at: start)
      }
      file.indexes.append(RuleFile.Index(target: target, isGroup: isGroup, path: path, offset: start))
    }
  }

  /// Returns the offset in the file of a character of a string.
  ///
  /// - Parameters:
  ///   - offset: the offset in the UTF-8 of the string's value.
  ///   - start: the offset of the string's opening quote.
  private func rawOffset(_ offset: Int, inStringAt start: Int) -> Int {
    var position = start + 1
    var rest = offset
    while rest > 0, position < bytes.count {
      guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count else {
        (position, rest) = (position + 1, rest - 1)
        continue
      }
      guard bytes[position + 1] == UInt8(ascii: "u") else {
        (position, rest) = (position + 2, rest - 1)
        continue
      }
      // A character of four bytes is written as two escapes; each of them stands for two bytes.
      let digits = String(decoding: bytes[(position + 2)...].prefix(4), as: UTF8.self)
      let unit = UInt16(digits, radix: 16) ?? 0
      (position, rest) = (
        position + 6, rest - (UTF16.isSurrogate(unit) ? 2 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
      )
    }
    return min(position, bytes.count)
  }
}
