import Fief
import Foundation

@testable import FiefCore

extension FuzzTarget {
  /// Texts of queries: the query of a text has a text that is read as the same query, or an error says where the text is wrong.
  ///
  /// The first byte says whether there is a schema, and how many arguments.
  static let queries = FuzzTarget(
    name: "queries",
    longest: 4096,
    seeds: {
      ["0age > 3 AND name BEGINSWITH[c] 'a'", "1ANY dogs.age > 3", "7name == %@"].map { Array($0.utf8) }
    },
    run: { input, defect in
      guard let first = input.first else { return }
      let text = String(decoding: input.dropFirst(), as: UTF8.self)
      let arguments: [QueryArgument] = [
        .value(.integer(3)), .untyped("name"), .list([.value(.integer(1)), .untyped("2")]),
      ]
      let description: QueryDescription
      do {
        description = try QueryTextForm.parse(
          text,
          arguments: Array(arguments.prefix(Int(first >> 1 & 3))),
          type: "Person",
          schema: first & 1 == 1 ? TextSchema.schema : .unknown
        )
      } catch {
        let codes: [FiefError.Code] = [.malformedQuery, .unknownProperty, .invalidQuery, .unknownType]
        let known = error as? FiefError
        let hasPlace = known?.details.first?.hasPrefix("at: line ") == true || text.utf8.count > 1 << 20
        return try require(codes.contains(known?.code ?? .storage) && hasPlace, "\(error): \(text)")
      }
      // A query with a NaN in it is not equal to itself.
      guard description == description else { return }
      let again = QueryPrinter.text(of: description)
      if defect.isPlanted, again.contains("LOWERCASE(") { throw FuzzFinding("planted: \(text)") }
      do {
        let read = try QueryTextForm.parse(again, type: "Person", schema: .unknown)
        try require(read == description, "it is read differently: \(text), written: \(again)")
      } catch let error as FiefError {
        // The full form has more parentheses than what people write, and repeats what is compared with a list.
        let limits = ["The query is nested too deeply.", "The query has too many arithmetic operators."]
        try require(limits.contains(error.message), "\(error): \(text), written: \(again)")
      }
    }
  )
}
