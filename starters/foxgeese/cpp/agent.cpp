// Foxes and Geese: a legal move, chosen by chance. Start your own agent from here.
// g++ -O2 -std=c++17 -o agent agent.cpp
#include <cctype>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
using Board = vector<string>;  // the cell x,y is board[y][x]: '-', a fox X or Y, a goose a to t, '#' outside

const string letters = "udlr";
const int ways[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};

char at(const Board& board, int x, int y) { return x < 0 || y < 0 || x > 6 || y > 6 ? '#' : board[y][x]; }

// All chains of jumps of the fox on x,y, each as far as it goes: its name and the letters of the jumps.
void chains(Board board, int x, int y, string text, vector<string>& found) {
  bool more = false;
  for (int way = 0; way < 4; way++) {
    int dx = ways[way][0], dy = ways[way][1];
    if (!islower(at(board, x + dx, y + dy)) || at(board, x + 2 * dx, y + 2 * dy) != '-') continue;
    Board after = board;
    after[y + dy][x + dx] = '-';
    swap(after[y][x], after[y + 2 * dy][x + 2 * dx]);
    chains(after, x + 2 * dx, y + 2 * dy, text + letters[way], found);
    more = true;
  }
  if (!more && text.size() > 1) found.push_back(text);
}

// All legal moves of a side on a board: the piece, then the letter of its step or those of its jumps.
vector<string> legal_moves(const Board& board, const string& side) {
  vector<string> steps, captures, longest;
  for (int y = 0; y < 7; y++)
    for (int x = 0; x < 7; x++) {
      char piece = board[y][x];
      if (!isalpha(piece) || (side == "GEESE") != bool(islower(piece))) continue;
      for (int way = 0; way < 4; way++)
        if (at(board, x + ways[way][0], y + ways[way][1]) == '-' && !(side == "GEESE" && letters[way] == 'd'))
          steps.push_back(string{piece, letters[way]});
      if (side == "FOXES") chains(board, x, y, string{piece}, captures);
    }
  for (string& chain : captures) {  // a capture is forced, and the longest of them
    if (longest.empty() || chain.size() > longest[0].size()) longest = {chain};
    else if (chain.size() == longest[0].size()) longest.push_back(chain);
  }
  return longest.empty() ? steps : longest;
}

// The board after a move.
Board play(Board board, const string& move) {
  int x = 0, y = 0;
  while (board[y].find(move[0]) == string::npos) y++;
  x = board[y].find(move[0]);
  board[y][x] = '-';
  for (char letter : move.substr(1)) {
    int way = letters.find(letter), dx = ways[way][0], dy = ways[way][1];
    x += dx, y += dy;
    if (board[y][x] == '-') continue;
    board[y][x] = '-';  // a goose: the fox jumps over it
    x += dx, y += dy;
  }
  board[y][x] = move[0];
  return board;
}

int main() {
  ifstream input("input.txt");
  string control, side, seconds, line;  // CPU seconds: for this move (SINGLE) or the whole game (GAME); a search keeps to them
  input >> control >> side >> seconds;
  for (int i = 0; i < 2; i++) getline(input, line);  // the rest of line 3, and MOVES n
  Board board(7);
  for (string& row : board) {
    getline(input, line);
    stringstream words(line);
    for (string word; words >> word;) row += word;
    if (row.size() == 3) row = "##" + row + "##";
  }
  vector<string> legal = legal_moves(board, side);
  ofstream("output.txt", ios::binary) << legal[random_device()() % legal.size()] << '\n';
}
