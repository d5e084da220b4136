/// The relation of a version to the one that is named.
enum VersionRelation: String, Sendable, CaseIterable {
  case earlier = "<<"
  case earlierOrEqual = "<="
  case equal = "="
  case laterOrEqual = ">="
  case later = ">>"

  /// Whether a version satisfies the relation to another.
  func allows(_ version: String, comparedTo other: String) -> Bool {
    let order = DebianVersion.compare(version, other)
    return switch self {
    case .earlier: order < 0
    case .earlierOrEqual: order <= 0
    case .equal: order == 0
    case .laterOrEqual: order >= 0
    case .later: order > 0
    }
  }
}

/// One package name in a dependency, with what is asked of it: `python3:any (>= 3.11~)`.
struct DependencyAtom: Sendable, Equatable {
  /// The name of a package, real or virtual.
  var name: String
  /// The architecture qualifier after the colon: `any`, `native`, or an architecture.
  var qualifier: String?
  /// The relation to the named version; nil when every version will do.
  var relation: VersionRelation?
  /// The version to compare with.
  var version: String?
  /// The architectures between brackets, `!` for "not".
  var architectures: [String] = []
}

/// A field such as `Depends` or `Provides`: clauses apart by commas, each a choice apart by bars.
struct DependencyField: Sendable, Equatable {
  /// The clauses in their order; one atom of each must be satisfied.
  var clauses: [[DependencyAtom]]

  /// The place at which a field is not well formed.
  struct SyntaxError: Error, Sendable, Equatable {
    /// The number of bytes before the place.
    var offset: Int
    /// The expected text.
    var reason: String
  }

  /// Reads a field's text; empty clauses, as of a comma at the end, are passed over.
  init(_ text: String) throws(SyntaxError) {
    var scanner = Scanner(bytes: Array(text.utf8))
    clauses = []
    scanner.skipBlanks()
    while !scanner.isAtEnd {
      if scanner.take(",") {
        scanner.skipBlanks()
        continue
      }
      var alternatives = [try Self.atom(&scanner)]
      while scanner.take("|") {
        scanner.skipBlanks()
        alternatives.append(try Self.atom(&scanner))
      }
      clauses.append(alternatives)
      guard scanner.isAtEnd || scanner.peek(",") else {
        throw SyntaxError(offset: scanner.position, reason: "expected a comma or a bar")
      }
    }
  }

  private static func atom(_ scanner: inout Scanner) throws(SyntaxError) -> DependencyAtom {
    let name = scanner.word(where: isNameByte)
    guard !name.isEmpty else {
      throw SyntaxError(offset: scanner.position, reason: "expected a package name")
    }
    var atom = DependencyAtom(name: name)
    if scanner.take(":") {
      let qualifier = scanner.word(where: isNameByte)
      guard !qualifier.isEmpty else {
        throw SyntaxError(offset: scanner.position, reason: "expected an architecture")
      }
      atom.qualifier = qualifier
    }
    scanner.skipBlanks()
    if scanner.take("(") { try constraint(&scanner, of: &atom) }
    if scanner.take("[") {
      let list = try group(&scanner, closedBy: "]")
      atom.architectures = list.split(separator: " ").map(String.init)
    }
    // Build profiles choose what is built; for a package that is built they say nothing.
    while scanner.take("<") { _ = try group(&scanner, closedBy: ">") }
    return atom
  }

  private static func constraint(
    _ scanner: inout Scanner,
    of atom: inout DependencyAtom
  ) throws(SyntaxError) {
    scanner.skipBlanks()
    let start = scanner.position
    let symbol = scanner.word {
      $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">")
    }
    switch symbol {
    // The single signs are of dpkg's first years and mean "or equal".
    case "<": atom.relation = .earlierOrEqual
    case ">": atom.relation = .laterOrEqual
    default: atom.relation = VersionRelation(rawValue: symbol)
    }
    guard atom.relation != nil else {
      throw SyntaxError(offset: start, reason: "expected one of << <= = >= >>")
    }
    scanner.skipBlanks()
    let version = scanner.word { $0 > 32 && $0 != UInt8(ascii: ")") }
    guard !version.isEmpty else {
      throw SyntaxError(offset: scanner.position, reason: "expected a version")
    }
    atom.version = version
    scanner.skipBlanks()
    guard scanner.take(")") else {
      throw SyntaxError(offset: scanner.position, reason: "expected a closing parenthesis")
    }
    scanner.skipBlanks()
  }

  private static func group(
    _ scanner: inout Scanner,
    closedBy end: Unicode.Scalar
  ) throws(SyntaxError) -> String {
    let text = scanner.word { $0 != UInt8(ascii: end) }
    guard scanner.take(end) else {
      throw SyntaxError(offset: scanner.position, reason: "expected '\(end)'")
    }
    scanner.skipBlanks()
    return text
  }

  /// Names have lower-case letters, digits and `+-.`; capitals occur in virtual packages.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 97...122, 65...90, 48...57, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension DependencyField {
  /// A place in a text of bytes.
  private struct Scanner {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    func peek(_ scalar: Unicode.Scalar) -> Bool {
      position < bytes.count && bytes[position] == UInt8(ascii: scalar)
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard peek(scalar) else { return false }
      position += 1
      return true
    }

    mutating func skipBlanks() {
      while position < bytes.count, bytes[position] <= 32 { position += 1 }
    }

    mutating func word(where isPart: (UInt8) -> Bool) -> String {
      let start = position
      while position < bytes.count, isPart(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
  }
}
