// The function that libFuzzer calls with each input: compiled by `run` into one module with the library.

import Foundation

/// Reads an input as the text of a query. The first byte says whether there is a schema, and how many arguments.
///
/// Whatever it is, there has to be a query whose text is read as the same query, or an error of the right kind
/// with the place; anything else ends the process.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzQueryText(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: data, count: count)
  guard let first = input.first else { return 0 }
  let text = String(decoding: input.dropFirst(), as: UTF8.self)
  let arguments: [QueryArgument] = [
    .value(.integer(3)), .untyped("name"), .list([.value(.integer(1)), .untyped("2")]),
  ]
  do {
    let description = try QueryTextForm.parse(
      text,
      arguments: Array(arguments.prefix(Int(first >> 1 & 3))),
      type: "Person",
      schema: first & 1 == 1 ? TextSchema.schema : .unknown
    )
    // A query with a NaN in it is not equal to itself.
    guard description == description else { return 0 }
    let again = QueryPrinter.text(of: description)
    do {
      let read = try QueryTextForm.parse(again, type: "Person", schema: .unknown)
      if read != description { fail("it is read differently", text, again) }
    } catch {
      // The full form has more parentheses than what people write, and repeats what is compared with a list.
      let limits = ["The query is nested too deeply.", "The query has too many operators that compute."]
      if !limits.contains((error as? FiefError)?.message ?? "") { fail("\(error)", text, again) }
    }
  } catch {
    let codes: [FiefError.Code] = [.malformedQuery, .unknownProperty, .invalidQuery, .unknownType]
    let known = error as? FiefError
    let hasPlace = known?.details.first?.hasPrefix("at: line ") == true || text.utf8.count > 1 << 20
    if !codes.contains(known?.code ?? .storage) || !hasPlace { fail("\(error)", text, "") }
  }
  return 0
}

private func fail(_ what: String, _ text: String, _ again: String) -> Never {
  FileHandle.standardError.write(Data("\(what)\ntext: \(text)\nwritten: \(again)\n".utf8))
  abort()
}
