import FiefConsole

/// A package as the index describes it: the values of one stanza, checked.
struct PackageRecord: Sendable, Equatable {
  var name: String
  var version: String
  var architecture: String
  var maintainer: MaintainerAddress
  var section: String
  var priority: String
  /// The source package; that of the same name where the index names none.
  var source: String
  var homepage: String?
  var summary: String
  /// The size when installed, in KiB.
  var installedSize: Int
  /// The size of the file to download, in bytes; 0 for what is only installed.
  var downloadSize: Int
  var isEssential: Bool
  var tags: [String]
  var depends: DependencyField
  var preDepends: DependencyField
  var recommends: DependencyField
  var provides: DependencyField

  /// Checks a stanza and takes its values.
  ///
  /// - Throws: ``StanzaProblem`` naming the field when the name or the version is missing, or a field is
  ///   not well formed. Fields that a package may lack get an empty value.
  init(_ stanza: Stanza) throws(StanzaProblem) {
    name = try Self.required(.package, of: stanza)
    guard name.utf8.allSatisfy(Self.isNameByte) else {
      let reason = "'\(Format.printable(String(name.prefix(40))))' is not a package name"
      throw StanzaProblem(kind: .invalidField("package", reason: reason), line: stanza.line)
    }
    version = try Self.required(.version, of: stanza)
    architecture = stanza[.architecture] ?? "all"
    maintainer = MaintainerAddress(stanza[.maintainer] ?? "")
    section = stanza[.section] ?? "unknown"
    priority = stanza[.priority] ?? "optional"
    // `Source: glibc (2.36-9)` names the version where it differs from the package's own.
    source = stanza[.source].flatMap { Self.start(of: $0, before: " ") } ?? name
    homepage = stanza[.homepage]
    summary = stanza[.description].flatMap { Self.start(of: $0, before: "\n") } ?? ""
    installedSize = try Self.number(.installedSize, of: stanza)
    downloadSize = try Self.number(.size, of: stanza)
    isEssential = stanza[.essential] == "yes"
    tags = Self.tags(stanza[.tag] ?? "")
    depends = try Self.dependencies(.depends, of: stanza)
    preDepends = try Self.dependencies(.preDepends, of: stanza)
    recommends = try Self.dependencies(.recommends, of: stanza)
    provides = try Self.dependencies(.provides, of: stanza)
  }

  /// Whether dpkg calls the package installed; stanzas of an index of packages say nothing about it.
  static func isInstalled(_ stanza: Stanza) -> Bool {
    stanza[.status].map { $0.hasSuffix(" installed") } ?? true
  }

  private static func required(_ field: Stanza.Field, of stanza: Stanza) throws(StanzaProblem) -> String {
    guard let text = stanza[field], !text.isEmpty else {
      throw StanzaProblem(kind: .missingField(field.rawValue), line: stanza.line)
    }
    return text
  }

  private static func number(_ field: Stanza.Field, of stanza: Stanza) throws(StanzaProblem) -> Int {
    guard let text = stanza[field], !text.isEmpty else { return 0 }
    guard let value = Int(text), value >= 0 else {
      let kind = StanzaProblem.Kind.invalidField(field.rawValue, reason: "not a size")
      throw StanzaProblem(kind: kind, line: stanza.line)
    }
    return value
  }

  private static func dependencies(
    _ field: Stanza.Field,
    of stanza: Stanza
  ) throws(StanzaProblem) -> DependencyField {
    do {
      return try DependencyField(stanza[field] ?? "")
    } catch {
      let reason = "\(error.reason) after \(error.offset) bytes"
      throw StanzaProblem(kind: .invalidField(field.rawValue, reason: reason), line: stanza.line)
    }
  }

  /// The part of a text before the first of a byte, nil when it is empty.
  private static func start(of text: String, before end: Unicode.Scalar) -> String? {
    let start = text.utf8.prefix { $0 != UInt8(ascii: end) }
    return start.isEmpty ? nil : String(Substring(start))
  }

  /// `role::program, works-with::{audio,video}` has commas inside braces, which stay together.
  private static func tags(_ text: String) -> [String] {
    var tags: [String] = []
    var depth = 0
    var current: [UInt8] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if byte == UInt8(ascii: ","), depth == 0 {
        if !current.isEmpty { tags.append(String(decoding: current, as: UTF8.self)) }
        current.removeAll(keepingCapacity: true)
      } else if byte > 32 {
        current.append(byte)
      }
    }
    if !current.isEmpty { tags.append(String(decoding: current, as: UTF8.self)) }
    return tags
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 97...122, 65...90, 48...57, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}

/// The maintainer of a package: `Debian Games Team <pkg-games-devel@lists.alioth.debian.org>`.
struct MaintainerAddress: Sendable, Equatable {
  var name: String
  /// The address in lower case; the name stands in where the index gives no address.
  var email: String

  /// Takes a name and an address apart; text of any other form is a name.
  init(_ text: String) {
    let words = text.utf8.split { $0 <= 32 }.map { String(Substring($0)) }
    let whole = words.joined(separator: " ")
    guard whole.utf8.last == UInt8(ascii: ">"), let open = whole.utf8.lastIndex(of: UInt8(ascii: "<")),
      whole[open...].utf8.count > 2
    else {
      name = whole.isEmpty ? "(nobody)" : whole
      email = name
      return
    }
    email = whole[open...].dropFirst().dropLast().lowercased()
    let title = whole[..<open]
    name = title.isEmpty ? email : String(title.utf8.last == UInt8(ascii: " ") ? title.dropLast() : title)
  }
}
