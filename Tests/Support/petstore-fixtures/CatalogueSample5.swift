/// What version 4 has, and indexes: one that was read, one that was not read to its end.
enum CatalogueSample5 {
  static func fill(_ objects: NewestObjects) throws {
    try CatalogueSample4.fill(objects)
    try objects.create(
      "PackageIndex",
      ["source": "apt-cache dumpavail", "packages": 3, "readAt": Sample.date(0)]
    )
    try objects.create("PackageIndex", ["source": "/größe/Packages"])
  }
}
