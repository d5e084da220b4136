/// Keys of two parts with the parts exchanged, empty, and not of the Latin alphabet.
enum AdsSample3 {
  static func fill(_ objects: NewestObjects) throws {
    let keys = [("EUR", "top"), ("top", "EUR"), ("", "top"), ("EUR", ""), ("größe", "日本/左")]
    for (index, key) in keys.enumerated() {
      try objects.create(
        "AdCounter",
        [
          "market": key.0, "place": key.1, "impressions": index == 0 ? Int.max : index, "clicks": index,
          "cost": try Sample.decimal("0.0\(index)"), "endsAt": Sample.date(Double(index) * 1e8),
        ]
      )
    }
  }
}
