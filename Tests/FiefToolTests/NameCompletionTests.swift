import FiefConsole
import Foundation
import Testing

/// The names that the tool offers to the completion scripts of shells.
@Suite("Names for completion") struct NameCompletionTests {
  private func names(_ words: String...) -> [String] {
    let run = ToolRun(["__complete"] + words)
    #expect(run.status == .done && run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test("Types of a store and properties of a type")
  func names() throws {
    try ToolStores.with("pets") { store in
      #expect(names("types", store, "") == ["Dog", "DogClub", "DogToy", "Person"])
      #expect(names("types", store + "/data.mdb", "DogC") == ["DogClub"])
      #expect(names("types", store, "Dog", "P") == ["Person"])
      let columns = names("columns", store, "DogClub", "")
      #expect(Set(columns) == ["name", "members", "president"])
      #expect(names("columns", store, "DogClub", "na") == ["name"])
      #expect(Set(names("columns", store, "DogClub", "name,")) == ["name,members", "name,president"])
      #expect(names("columns", store, "DogClub", "name,p") == ["name,president"])
    }
  }

  @Test("Nothing where there is no store, no such type, or nothing that is known")
  func nothing() throws {
    #expect(names("types", "/nowhere", "") == [])
    #expect(names("types") == [] && names() == [])
    try ToolStores.with("pets") { store in
      #expect(names("columns", store, "Nothing", "") == [])
      #expect(names("columns", store, "") == [])
      #expect(names("keys", store, "Dog", "") == [])
    }
  }

  @Test("The scripts of the tool ask for them")
  func scripts() {
    let bash = ToolRun("completion", "bash").output
    #expect(bash.contains("_fief_asked types") && bash.contains("_fief_asked columns"))
    #expect(ToolRun("completion", "zsh").output.contains("{_fief_asked types}"))
  }
}
