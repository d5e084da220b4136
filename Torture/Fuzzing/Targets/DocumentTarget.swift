import Fief
import Foundation

extension FuzzTarget {
  /// JSON documents that are saved: completely or not at all, with an error that says why; what was saved is written as JSON
  /// that strict parsers read, and that is saved as the same objects. The first byte chooses the policy and the options.
  static let documents = FuzzTarget(
    name: "documents",
    longest: 1200,
    seeds: {
      [
        #"0[{"id":"a","name":"n","tiny":3,"count":4,"width":1.5,"tags":["x"],"scores":{"k":1}}]"#,
        #"1{"id":"a","born":"2024-02-29T12:30:00Z","price":1.25,"any":2,"part":{"text":"p"},"best":"b"}"#,
        #"2[{"id":"a","things":[{"id":"b","best":{"id":"a"}}],"parts":[{"text":"q","numbers":[1]}]}]"#,
      ].map { Array($0.utf8) }
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let flags = rest.byte()
      let policies: [UpdatePolicy] = [.all, .error, .modified]
      let options = JSONOptions(
        unknownKeys: flags & 4 == 0 ? .ignore : .refuse,
        epochInMilliseconds: flags & 8 != 0
      )
      let document = Data(rest.remaining())
      let store = DocumentChecks.repository
      try DocumentChecks.removeAll()
      do {
        try store.saveAndWait(
          saveClass: FuzzedThing.self,
          jsonData: document,
          update: policies[Int(flags & 3) % 3],
          options: options
        )
      } catch let error as FiefError {
        try require(
          DocumentChecks.codes.contains(error.code),
          "\(error): \(String(decoding: document, as: UTF8.self))"
        )
        let count = try store.objects(FuzzedThing.self).fetchCount()
        return try require(
          count == 0,
          "\(count) objects of a refused document: \(String(decoding: document, as: UTF8.self))"
        )
      }
      try DocumentChecks.checkRepetition(options, defect)
    }
  )
}

private enum DocumentChecks {
  static let repository = FuzzedRepository(
    name: "documents",
    realmMemoryType: .inMemory(identifier: "fief-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  )

  static let codes: [FiefError.Code] = [
    .malformedJSON, .invalidValue, .missingValue, .unknownProperty, .duplicatePrimaryKey, .primaryKeyTooLong,
    .missingPrimaryKey,
  ]

  static func removeAll() throws { try repository.write { try $0.deleteAll() } }

  /// Everything that is stored, as JSON, is saved as the same.
  static func checkRepetition(_ options: JSONOptions, _ defect: PlantedDefect) throws {
    guard let documents = try encoded() else { return }
    for document in documents { try JSONChecks.checkStrict(document) }
    try removeAll()
    for document in documents {
      try repository.saveAndWait(saveClass: FuzzedThing.self, jsonData: Data(document.utf8), update: .error)
    }
    var again = try encoded()
    // A tabulator in a text is lost.
    if defect.isPlanted { again = again.map { $0.map { $0.replacing(#"\t"#, with: "") } } }
    try require(again == documents, "\(documents), then \(again ?? [])")
  }

  /// The stored objects without their links, as JSON; nil where one has a value that JSON has not.
  private static func encoded() throws -> [String]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.timeIntervalSince1970)
    }
    let objects = try repository.objects(FuzzedThing.self).sorted(byKeyPath: "id").all()
    do {
      return try objects.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    } catch is EncodingError {
      return nil
    }
  }
}
