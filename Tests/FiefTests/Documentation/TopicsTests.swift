import Foundation
import Testing

/// Each public type and function of a module is in a topic of its catalogue, unless its name has an underscore.
@Suite struct TopicsTests {
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Sources").standardized

  /// The modules that `Fief` brings, and documents as its own.
  private static let rings = [
    "FiefCore", "FiefInspection", "FiefMultiStore", "FiefObserving", "FiefOperations", "FiefViews",
  ]

  /// The names of what a file declares as public outside of a type, without those that have an underscore or cannot be used.
  static func publicNames(in source: String) -> [String] {
    let pattern =
      #/^(?:@\w+(?:\(.*?\))? )*(?:public|open) (?:final |indirect )?(?:class|struct|enum|protocol|actor|typealias|func|let|var) `?(?<name>\w+)/#
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      // The pattern takes long for each line.
      let line = lines[index]
      guard line.first != " ", line.contains("public ") || line.contains("open ") else { return nil }
      guard let name = line.prefixMatch(of: pattern)?.output.name, !name.hasPrefix("_") else {
        return nil
      }
      // The attributes are between the comment and the declaration.
      let attributes = lines[..<index].reversed().prefix { !$0.isEmpty && !$0.hasPrefix("///") && $0 != "}" }
      return attributes.contains { $0.contains("unavailable") } ? nil : String(name)
    }
  }

  /// The names in the topics of a page: those of the module's own declarations, without their parameters.
  static func topics(of page: String) -> [String] {
    guard let topics = page.components(separatedBy: "\n## Topics\n").dropFirst().first else { return [] }
    let pattern = #/(?m)^- ``(?<name>\w+)(?:\([^`]*\)(?:-\w+)?)?``$/#
    return topics.matches(of: pattern).map { String($0.output.name) }
  }

  private static func texts(below folder: URL, _ isRead: (String) -> Bool) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter(isRead).map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
  }

  @Test(arguments: [
    ("Fief", 140), ("FiefRealm", 15), ("FiefTesting", 10), ("FiefLog", 9), ("FiefCommands", 1),
    ("FiefImport", 3), ("FiefTree", 7),
  ])
  func everyPublicDeclarationIsInATopic(of module: String, atLeast count: Int) throws {
    let folder = Self.sources.appendingPathComponent(module)
    let folders = module == "Fief" ? Self.rings.map(Self.sources.appendingPathComponent) : [folder]
    let texts = try folders.flatMap { try Self.texts(below: $0) { $0.hasSuffix(".swift") } }
    let names = Set(texts.flatMap(Self.publicNames(in:)))
    #expect(names.count >= count)
    // The pages of types have topics of their members.
    let pages = try Self.texts(below: folder) { $0.hasSuffix(".md") && !$0.contains("/Types/") }
    let missing = names.subtracting(pages.flatMap(Self.topics(of:)))
    #expect(missing.isEmpty, "\(missing.sorted()) are in no topic of \(module)")
  }

  @Test func aDeclarationWithoutATopicIsFound() {
    let source = """
      /// A store.
      public struct Store {
        public var name: String
      }

      /// Not available.
      @available(
        *,
        unavailable,
        message: "write something else"
      )
      public struct Former {}

      /// For the runtime.
      public final class _Reader {}

      @available(*, deprecated, renamed: "Store")
      public typealias Shop = Store
      @MainActor @discardableResult public func open(_ store: Store) {}
      """
    #expect(Self.publicNames(in: source) == ["Store", "Shop", "open"])
    let page =
      "# ``Fief``\n\n- ``Before``\n\n## Topics\n\n### Stores\n\n- ``Store``\n- ``open(_:)``\n- ``Store/name``\n"
    #expect(Self.topics(of: page) == ["Store", "open"])
  }
}
