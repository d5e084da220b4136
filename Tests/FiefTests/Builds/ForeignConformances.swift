import Foundation

/// Finds conformances in object files of types of other files to protocols of other files.
enum ForeignConformances {
  /// Each as the file's name and the conformance.
  static func find(in objects: [String]) throws -> [String] {
    var missing: [String] = []
    for chunk in stride(from: 0, to: objects.count, by: 200) {
      let files = Array(objects[chunk..<min(chunk + 200, objects.count)])
      let symbols = try BuiltProgram.run(["nm", "--print-file-name", "--defined-only"] + files).lines
        .compactMap { Symbol($0) }
      let names = try demangled(symbols.map(\.mangled))
      guard names.count == symbols.count else {
        return ["swift demangle left out \(symbols.count - names.count)"]
      }
      var declared: [Substring: Set<Substring>] = [:]
      for (symbol, name) in zip(symbols, names) {
        for kind in ["nominal type descriptor for ", "protocol descriptor for "] where name.hasPrefix(kind) {
          declared[symbol.file, default: []].insert(withoutArguments(name.dropFirst(kind.count)))
        }
      }
      for (symbol, name) in zip(symbols, names) {
        guard let conformance = Conformance(name) else { continue }
        let own = declared[symbol.file] ?? []
        if !own.contains(conformance.type), !own.contains(conformance.proto) {
          missing.append("\(BuiltProgram.name(of: String(symbol.file))): \(name)")
        }
      }
    }
    return missing
  }

  private struct Symbol {
    let file: Substring
    let mangled: Substring

    /// A line of `nm`: the file, the address and the kind, and the name.
    init?(_ line: Substring) {
      guard let colon = line.lastIndex(of: ":"), let name = line.split(separator: " ").last else {
        return nil
      }
      guard ["Mc", "Mn", "Mp"].contains(where: name.hasSuffix), name.hasPrefix("$s") else { return nil }
      file = line[..<colon]
      mangled = name
    }
  }

  private struct Conformance {
    let type: Substring
    let proto: Substring

    /// `protocol conformance descriptor for <A where A: P> M.Type<A> : M.Protocol in M`
    init?(_ name: Substring) {
      let start = "protocol conformance descriptor for "
      guard name.hasPrefix(start), let colon = name.range(of: " : ", options: .backwards),
        let module = name.range(of: " in Fief", options: .backwards), colon.upperBound <= module.lowerBound
      else { return nil }
      var type = name[..<colon.lowerBound].dropFirst(start.count)
      if type.hasPrefix("<") {
        // The requirements of a generic type come first.
        var depth = 0
        while let next = type.popFirst() {
          depth += next == "<" ? 1 : next == ">" ? -1 : 0
          if depth == 0 { break }
        }
        type = type.dropFirst()
      }
      self.type = withoutArguments(type)
      proto = name[colon.upperBound..<module.lowerBound]
    }
  }

  private static func withoutArguments(_ name: Substring) -> Substring {
    name.firstIndex(of: "<").map { name[..<$0] } ?? name
  }

  private static func demangled(_ names: [Substring]) throws -> [Substring] {
    let directory = try TemporaryDirectory()
    let path = directory["names"]
    try names.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return try BuiltProgram.run(["sh", "-c", "swift demangle --compact < '\(path)'"]).lines
  }
}
