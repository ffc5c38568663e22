// Files and folders whose place the user chooses by an option.
#pragma once

#include <filesystem>
#include <string>

namespace mbsbench {

// "cartesian-dae-ggl", of "cartesian-dae:ggl"
std::string FileNameOf(std::string spec);

// Why a file could not be written, in words that go with "cannot be written: ": the system's, and what to do if the limit of file
// sizes was reached. `error`: errno.
std::string WriteFault(int error);

// Throws StoreError if the folder cannot be made. `option` names it.
void MakeFolder(const std::filesystem::path& folder, const char* option);

enum class OnLink { kFollow, kReplace };

// Replaces the file by this text in one step, once the text is on the disk: an incomplete file never appears under its name.
// The new file has the mode of the old one. A symbolic link stays, and its target is replaced, unless the program chose the name: then
// another's link there is replaced itself. What is not a file, such as /dev/stdout, is written to. Throws StoreError if it cannot be
// written. Without waiting for the disk a loss of power may leave an incomplete file.
void WriteFile(const std::filesystem::path& file, const std::string& text, const char* option,
               bool waits_for_disk = true, OnLink on_link = OnLink::kFollow);

// Writes the contents of another file as WriteFile does.
void CopyFile(const std::filesystem::path& from, const std::filesystem::path& file,
              const char* option);

}  // namespace mbsbench
