import Fief
import Testing

@testable import FiefCore

/// The search for the name that was meant.
@Suite struct NearestNameTests {
  @Test(arguments: [
    ("nmae", "name"), ("Name", "name"), ("firstname", "first_name"), ("adress", "address"), ("pri", "price"),
  ]) func aNearNameIsFound(word: String, expected: String) {
    #expect(NearestName.find(word, in: ["name", "first_name", "address", "price"]) == expected)
  }

  @Test func whatIsFarIsNot() {
    #expect(NearestName.find("weight", in: ["name", "id"]) == nil)
    #expect(NearestName.find("x", in: ["y"]) == nil)
    #expect(NearestName.find("x", in: []) == nil)
    #expect(NearestName.details(for: "weight", among: ["name", "id"]) == ["the type's properties: id, name"])
    let details = NearestName.details(for: "nmae", among: ["name", "id"])
    #expect(details == ["did you mean: name", "the type's properties: id, name"])
  }
}
