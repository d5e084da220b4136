import Fief
import Foundation

extension FiefRows {
  func insertFigure(of row: String, _ times: Int) throws -> Figure? {
    switch row {
    case "A": try inserting(.plain, times, operations: workload.count)
    case "A_idx": try inserting(.indexed, times, operations: workload.count)
    case "A_rel": try inserting(.related, times, operations: 4 * workload.count)
    case "N": Figure(value: try bytes(.plain), operations: 1)
    case "N_idx": Figure(value: try bytes(.indexed), operations: 1)
    case "N_rel": Figure(value: try bytes(.related), operations: 1)
    case "O": try peakMemory()
    case "JSON": try importing(times)
    default: nil
    }
  }

  private func inserting(_ kind: StoreKind, _ times: Int, operations: Int) throws -> Figure {
    defer { Files.remove(work) }
    return try repeated(times, operations: operations) { try load(kind, in: work) }
  }

  /// The peak of a process that adds persons one by one in one transaction.
  private func peakMemory() throws -> Figure {
    try Files.makeEmpty(work)
    defer { Files.remove(work) }
    let answer = try Peer.fief.output(["peak", work, "\(workload.count)"])
    guard let kibibytes = Double(answer.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchmarkError("row O: the child said '\(answer)'")
    }
    let repository = BenchmarkRepository(StoreKind.plain.types, in: work)
    defer { repository.close() }
    try verify(repository, .plain, count: workload.count, full: workload.full)
    return Figure(value: kibibytes * 1024, operations: 1)
  }

  private func importing(_ times: Int) throws -> Figure {
    let document = Data(("[" + workload.persons.map(\.json).joined(separator: ",\n") + "]").utf8)
    return try repeated(times, operations: workload.count) {
      try Files.makeEmpty(work)
      defer { Files.remove(work) }
      let repository = BenchmarkRepository(StoreKind.plain.types, in: work)
      try repository.open()
      defer { repository.close() }
      var outcome: Result<Bool, any Error> = .success(false)
      let seconds = Clock.time {
        outcome = Result {
          try repository.saveAndWait(saveClass: StoredPerson.self, jsonData: document, update: false)
          return true
        }
      }
      _ = try outcome.get()
      try verify(repository, .plain, count: workload.count, full: workload.full)
      return seconds
    }
  }
}

extension Person {
  /// The person as a JSON object; no value needs an escape.
  fileprivate var json: String {
    """
    {"id": \(id), "name": "\(name)", "email": "\(email)", "age": \(age), "balance": \(balance), \
    "active": \(active), "createdAt": \(createdAt), "note": "\(note)"}
    """
  }
}
