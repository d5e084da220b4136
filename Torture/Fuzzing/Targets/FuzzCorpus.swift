import Foundation

/// Inputs of a target in one file: a line of base 64 for each, the shortest first.
enum FuzzCorpus {
  static func inputs(_ text: String) throws -> [[UInt8]] {
    try text.split(separator: "\n").map { line in
      guard let input = Data(base64Encoded: String(line)) else { throw FuzzFinding("no base 64: \(line)") }
      return [UInt8](input)
    }
  }

  static func text(_ inputs: [[UInt8]]) -> String {
    let ordered = Set(inputs).sorted { ($0.count, $0.hex) < ($1.count, $1.hex) }
    return ordered.map { Data($0).base64EncodedString() + "\n" }.joined()
  }
}
