package import Fief

/// Rules in JSON.
package struct RuleFile {
  /// The maximum size of a file in bytes.
  package static let largest = 262_144

  /// An index that the file declares.
  package struct Index: Sendable {
    /// The path of the places, or the name of the group.
    package let target: String
    package let isGroup: Bool
    /// The path of the child.
    package let path: String
    /// The line and the column.
    package let details: [String]
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
        var root = RuleNode()
        try readNode(&parser, &root, RulePattern())
        file.root = root
      case "groups": try readGroups(&parser)
      default: throw parser.malformed("A file of rules has 'rules' and 'groups'.", at: start)
      }
    }
    try parser.finish()
    guard hasRules else { throw parser.malformed("A file of rules needs 'rules'.") }
  }

  private mutating func readNode(
    _ parser: inout JSONParser,
    _ node: inout RuleNode,
    _ pattern: RulePattern
  ) throws {
    try parser.forEachMember { parser, name, start in
      switch name {
      case ".read": try node.add(try rule(.read, &parser, pattern), at: [])
      case ".write": try node.add(try rule(.write, &parser, pattern), at: [])
      case ".validate": try node.add(try rule(.validate, &parser, pattern), at: [])
      case ".indexOn": try readIndexes(&parser, pattern.text, isGroup: false)
      case _ where name.hasPrefix("."): throw parser.malformed("A kind of rules is unknown.", at: start)
      default:
        do {
          let pattern = try pattern.appending(name)
          try node.change(name) { try readNode(&parser, &$0, pattern) }
        } catch let error as RulePathError {
          throw parser.malformed(error.message, at: start)
        }
      }
    }
  }

  private mutating func readGroups(_ parser: inout JSONParser) throws {
    try parser.forEachMember { parser, group, start in
      guard PlaceName.isValid(group) else {
        throw parser.malformed("The name of a group is invalid.", at: start)
      }
      try parser.forEachMember { parser, name, start in
        switch name {
        case ".read":
          file.groups[ExactText(group)] = try rule(.read, &parser, try RulePattern(group), isGroup: true)
        case ".indexOn": try readIndexes(&parser, group, isGroup: true)
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
      let variables = RuleParser.Variables(kind: kind, isGroup: isGroup, wildcards: pattern.wildcards)
      do throws(RuleSyntaxError) { condition = .expression(try RuleParser.parse(text, variables)) } catch {
        throw parser.malformed(error.message, at: rawOffset(error.offset, inStringAt: start))
      }
    default: throw parser.malformed("A rule is a text, true or false.", at: start)
    }
    return Rule(kind: kind, pattern: (isGroup ? "groups/" : "") + pattern.text, condition: condition)
  }

  private mutating func readIndexes(_ parser: inout JSONParser, _ target: String, isGroup: Bool) throws {
    _ = try parser.next()
    let start = parser.position
    let value = try parser.value()
    let details = parser.malformed("", at: start).details
    for path in value as? [Any] ?? [value] {
      guard let path = path as? String else {
        throw parser.malformed("'.indexOn' is a text, or an array of texts.", at: start)
      }
      file.indexes.append(RuleFile.Index(target: target, isGroup: isGroup, path: path, details: details))
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
