import FiefToolKit

FiefTool.main()
