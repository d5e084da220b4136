import Testing

@testable import LMDB

@Suite struct CommitTokenTests {
  @Test func keepsTheLastTokensOfSeveralProcesses() {
    let tokens = (0..<CommitToken.kept + 1).map { _ in CommitToken() }
    var record: [UInt8] = []
    for (index, token) in tokens.enumerated() {
      record = record.withUnsafeBytes { token.record(after: $0, sequence: UInt64(index)) }
    }
    #expect(record.count == CommitToken.size * CommitToken.kept)
    record.withUnsafeBytes { record in
      // The oldest had to go.
      #expect(!tokens[0].isPresent(in: record, sequence: 0))
      for index in 1..<tokens.count { #expect(tokens[index].isPresent(in: record, sequence: UInt64(index))) }
    }
  }

  @Test func aTokenReplacesItsPredecessorAlone() {
    let (own, other) = (CommitToken(), CommitToken())
    var record = own.record(after: nil, sequence: 1)
    record = record.withUnsafeBytes { other.record(after: $0, sequence: 9) }
    record = record.withUnsafeBytes { own.record(after: $0, sequence: 2) }
    #expect(record.count == 2 * CommitToken.size)
    record.withUnsafeBytes { record in
      #expect(own.isPresent(in: record, sequence: 2))
      #expect(!own.isPresent(in: record, sequence: 1))
      #expect(other.isPresent(in: record, sequence: 9))
    }
  }

  @Test func aDamagedRecordIsReplaced() {
    let token = CommitToken()
    for size in [0, 1, 23, 25, 1000] {
      let record = [UInt8](repeating: 7, count: size).withUnsafeBytes { token.record(after: $0, sequence: 3) }
      #expect(record.count <= CommitToken.size * CommitToken.kept)
      #expect(record.withUnsafeBytes { token.isPresent(in: $0, sequence: 3) })
    }
  }
}
