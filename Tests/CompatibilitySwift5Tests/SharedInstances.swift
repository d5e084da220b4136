// Swift 5 mode lets a global constant have an object of any class.

extension PetRepository {
  static let shared = PetRepository()
}

extension AuthRepository {
  static let shared = AuthRepository()
}
