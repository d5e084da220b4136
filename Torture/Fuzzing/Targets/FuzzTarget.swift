/// What a fuzzer gives any bytes to, and what has to hold of the result.
struct FuzzTarget: Sendable {
  let name: String
  /// The longest input that is worth trying, in bytes.
  let longest: Int
  /// Inputs to begin with; none of them meets the planted defect.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads one input.
  ///
  /// - Throws: any error is a finding; what an input may be refused with is caught.
  let run: @Sendable (_ input: UnsafeRawBufferPointer, _ defect: PlantedDefect) throws -> Void

  static let all = [
    keys, values, records, parts, catalogue, journals, texts, json, documents, lines, pages, openings,
    queries, treePlaces, treeJSON, treeNodes, treeRules, treePatterns,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

  func run(_ input: [UInt8], _ defect: PlantedDefect) throws {
    try input.withUnsafeBytes { try run($0, defect) }
  }
}

/// Whether a target treats some result of the library as a defective library would give it: the control of the fuzzers, which
/// have to find it.
enum PlantedDefect: Sendable {
  case none, planted

  var isPlanted: Bool { self == .planted }
}

/// Something that the library must not do.
struct FuzzFinding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// - Throws: ``FuzzFinding`` where the condition does not hold.
func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw FuzzFinding(text()) }
}
