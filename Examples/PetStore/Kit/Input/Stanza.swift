import FiefConsole

/// One paragraph of a Debian control file: the fields that this program reads, as text.
struct Stanza: Sendable, Equatable {
  /// The fields that are read; every other one is passed over without being copied.
  enum Field: String, CaseIterable, Sendable {
    case package = "package"
    case version = "version"
    case architecture = "architecture"
    case maintainer = "maintainer"
    case section = "section"
    case priority = "priority"
    case source = "source"
    case homepage = "homepage"
    case description = "description"
    case installedSize = "installed-size"
    case size = "size"
    case essential = "essential"
    case depends = "depends"
    case preDepends = "pre-depends"
    case recommends = "recommends"
    case provides = "provides"
    case tag = "tag"
    case status = "status"
  }

  /// The line of the input that the stanza starts on, from 1.
  var line: Int
  /// The text of each field that is there; folded lines are joined by line feeds.
  var fields: [Field: String] = [:]

  /// The text of a field, nil where the stanza has none.
  subscript(field: Field) -> String? { fields[field] }
}

/// The reason why a stanza, or a part of one, was not taken.
struct StanzaProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of problem.
  enum Kind: Sendable, Equatable {
    /// A line is neither a field, nor the continuation of one, nor a comment.
    case notAField
    /// A folded line has no field above it.
    case continuationWithoutField
    /// The same field is there twice.
    case duplicateField(String)
    /// The stanza is larger than the limit.
    case tooLarge(limit: Int)
    /// The input ends in the middle of a line.
    case truncated
    /// A field that every package has is missing or empty.
    case missingField(String)
    /// A field's text is not what it should be.
    case invalidField(String, reason: String)
  }

  /// The kind of problem.
  var kind: Kind
  /// The line of the input it was found on, from 1.
  var line: Int

  var description: String {
    let reason =
      switch kind {
      case .notAField: "neither a field nor a continuation"
      case .continuationWithoutField: "a continuation line without a field"
      case .duplicateField(let name): "the field \(name) appears twice"
      case .tooLarge(let limit): "the stanza is larger than \(Format.bytes(limit))"
      case .truncated: "the input ends in the middle of a line"
      case .missingField(let name): "the field \(name) is missing"
      case .invalidField(let name, let text): "the field \(name) is wrong: \(text)"
      }
    return "line \(Format.count(line)): \(reason)"
  }
}
