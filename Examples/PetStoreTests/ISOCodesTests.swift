import Foundation
import Testing

@testable import PetStoreKit

@Suite("ISO codes") struct ISOCodesTests {
  @Test("Codes are sorted, with their digits and their usual names")
  func values() throws {
    let codes = try ISOCodes(currencies: Fixtures.currencies, countries: Fixtures.countries)
    #expect(codes.currencies.map(\.code) == ["CHF", "EUR", "GBP", "JPY", "KWD", "USD"])
    #expect(codes.currencies.map(\.fractionDigits) == [2, 2, 2, 0, 3, 2])
    #expect(codes.currencies.map(\.numeric) == ["756", "978", "826", "392", "414", "840"])
    #expect(codes.countries.map(\.code) == ["CH", "FR", "GB", "JP", "PT", "TW", "US"])
    #expect(codes.countries.first { $0.code == "TW" }?.name == "Taiwan")
    #expect(codes.countries.first { $0.code == "TW" }?.flag == "🇹🇼")
    #expect(codes.countries.first { $0.code == "FR" }?.flag == "")
  }

  @Test(
    "A document that is something else is an error that names the file",
    arguments: [
      "", "[]", "{}", "{\"4217\": []}", "{\"4217\": [{\"alpha_3\": \"EUR\"}]}",
      "{\"4217\": [{\"name\": \"Euro\"}]}",
      "{\"4217\": [{\"alpha_3\": \"eur\", \"name\": \"Euro\"}]}",
      "{\"4217\": [{\"alpha_3\": \"EURO\", \"name\": \"E\"}]}",
      "{\"4217\": [{\"alpha_3\": \"EUR\", \"name\": \"Euro\"",
    ]
  )
  func malformed(text: String) {
    let error = #expect(throws: InputError.self) {
      try ISOCodes(currencies: Data(text.utf8), countries: Fixtures.countries)
    }
    #expect(error?.description.contains("iso_4217.json") == true)
  }

  @Test("Without the files, the error says what to install")
  func missing() {
    let error = #expect(throws: InputError.self) { try ISOCodes.load(from: ["/nowhere"]) }
    #expect(error == .isoCodesMissing)
    #expect(error?.description.contains("apt-get install iso-codes") == true)
  }

  @Test("The first directory with both files is read")
  func directories() async throws {
    try await Fixtures.withDirectory { directory in
      let (half, whole) = (directory.appending(path: "half"), directory.appending(path: "whole"))
      for place in [half, whole] {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        try Fixtures.currencies.write(to: place.appending(path: "iso_4217.json"))
      }
      try Fixtures.countries.write(to: whole.appending(path: "iso_3166-1.json"))
      #expect(throws: InputError.isoCodesMissing) { try ISOCodes.load(from: [half.path]) }
      let codes = try ISOCodes.load(from: ["/nowhere", half.path, whole.path])
      #expect(codes.currencies.count == 6 && codes.countries.count == 7)
    }
  }
}
