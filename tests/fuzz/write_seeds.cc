// Writes the fuzzer's seeds into a folder: write_seeds FOLDER.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "tests/fuzz/seeds.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  for (const auto& [name, text] : mbsbench::SeedModels()) {
    std::ofstream(folder / (name + ".json")) << text;
  }
  return 0;
}
