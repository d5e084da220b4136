import Fief
import Foundation

extension FiefRows {
  func openingFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "M":
      _ = try store(.plain)
      var keys = workload.picked[...]
      return try repeated(times, operations: 1) {
        let key = keys.popFirst() ?? 1
        return try inProcess(
          row,
          [encryption == nil ? "open" : "open_enc", path(.plain), "\(key)"],
          answer: Digest.cheap(workload.persons[key - 1])
        )
      }
    case "M_50":
      let directory = directory + "/T50"
      try Files.makeEmpty(directory)
      let repository = BenchmarkRepository(ManyTypes.all, in: directory)
      let object = Type00()
      object.id = 7
      try repository.insert(object)
      repository.close()
      return try repeated(times, operations: 1) { try inProcess(row, ["open50", directory], answer: 7) }
    case "M_mem":
      return try repeated(times, operations: 1) {
        let repository = BenchmarkRepository(StoreKind.plain.types, inMemory: UUID().uuidString)
        defer { repository.close() }
        let seconds = try Clock.time { try repository.open() }
        try check(row, try repository.count(StoredPerson.self), 0)
        return seconds
      }
    default: return nil
    }
  }

  /// The seconds that a new process says it took, from its own start on.
  private func inProcess(_ row: String, _ arguments: [String], answer: UInt64) throws -> Double {
    let output = try Peer.fief.output(arguments)
    let fields = output.split(whereSeparator: \.isWhitespace)
    guard fields.count == 2, let seconds = Double(fields[0]), let found = UInt64(fields[1]) else {
      throw BenchmarkError("row \(row): the child said '\(output)'")
    }
    try check(row, found, answer)
    return seconds
  }
}
