/// A package with everything, one with nothing, and a name that is only mentioned; a maintainer without packages.
enum CatalogueSample4 {
  static func fill(_ objects: NewestObjects) throws {
    let team = try objects.create("Maintainer", ["email": "t@example.org", "name": "Équipe"])
    try objects.create("Maintainer", ["email": "ÅSE", "name": "ÅSE"])
    let source = try objects.create("Source", ["name": "glibc"])
    let section = try objects.create(
      "Section",
      ["name": "non-free/libs", "area": "non-free", "topic": "libs"]
    )
    let tag = try objects.create("Tag", ["name": "role::größe", "facet": "role", "value": "größe"])
    let mentioned = try objects.create("Package", ["name": "awk"])
    let libc = try objects.create("Package", ["name": "libc6", "state": "available", "source": source])
    try objects.create(
      "Package",
      [
        "name": "libc6-dev", "state": "available", "version": "2:2.36~rc1-9+b1", "architecture": "amd64",
        "importance": 1, "source": source, "summary": Sample.longText, "homepage": "https://例え.jp/",
        "installedBytes": Int.max, "archiveSize": 1, "section": section, "maintainer": team,
        "tags": [tag, tag], "dependencies": [libc, mentioned], "recommends": [libc], "provides": [mentioned],
        "relations": [
          ["kind": "depends", "clause": 1, "name": "libc6", "architecture": "any", "relation": "="],
          ["kind": "provides", "name": "awk"],
        ] as [[String: Any]],
      ]
    )
  }
}
