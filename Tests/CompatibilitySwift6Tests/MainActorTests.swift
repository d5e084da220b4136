import Fief
import FiefTesting
import Testing

@MainActor @Suite(.freshStores) struct MainActorTests {
  @Test func everythingOnTheMainActor() async throws {
    let model = TokenViewModel()
    await withCheckedContinuation { continuation in
      model.onDone = { continuation.resume() }
      model.add("b")
    }
    await model.addLater("a")
    await model.startAdding("c").value
    #expect(model.failures.isEmpty)
    #expect(model.tokens.map(\.value) == ["b", "a", "c"])
    model.reload()
    #expect(model.tokens.map(\.value) == ["a", "b", "c"])
    try expectCount(of: MainActorRepository.shared, Token.self, 3)
  }

  @Test func handlersChangeStateOfTheMainActor() async {
    let model = DogsViewModel()
    await model.saveAndReload(["Rex", "Lulu", ""])
    #expect(model.names == ["Lulu", "Rex"])
    #expect(!model.isSaving && model.error == nil)
  }

  @Test func objectsStayOnTheMainActorWhileTheyAreSaved() async throws {
    let model = DogsViewModel()
    await model.saveAndReload(["Rex"])
    let dog = try #require(PetRepository.shared.object(ofType: Dog.self, forPrimaryKey: 0))
    try await model.rename(dog, to: "Lulu")
    #expect(model.names == ["Lulu"])
    try await PetRepository.shared.delete(entity: dog)
    try expectCount(of: PetRepository.shared, Dog.self, 0)
  }
}
