#pragma once
// Only used on Windows.
