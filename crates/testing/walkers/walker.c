#include <stdio.h>
#include <string.h>
static char rows[16][64];
static int camp(int x, int y) { int w[] = {5, 5, 4, 3, 2}; return y < 5 && x < w[y]; }
int main(void) {
  char control[64], side[64]; double seconds;
  FILE *in = fopen("input.txt", "r"), *out;
  if (!in || fscanf(in, "%63s %63s %lf", control, side, &seconds) != 3) return 3;
  for (int y = 0; y < 16; y++) if (fscanf(in, "%63s", rows[y]) != 1) return 3;
  int black = strcmp(side, "BLACK") == 0, step = black ? 1 : -1;
  out = fopen("output.txt", "w");
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < 256; i++) {
      int x = black ? 15 - i % 16 : i % 16, y = black ? 15 - i / 16 : i / 16;
      if (rows[y][x] != side[0]) continue;
      for (int k = 0; k < 9; k++) {
        int dx = (1 - k % 3) * step, dy = (1 - k / 3) * step, tx = x + dx, ty = y + dy;
        if (tx < 0 || ty < 0 || tx > 15 || ty > 15 || rows[ty][tx] != '.') continue;
        if (pass == 0 && (dx * step < 0 || dy * step < 0)) continue;
        int in_goal = black ? camp(15 - x, 15 - y) : camp(x, y);
        int to_goal = black ? camp(15 - tx, 15 - ty) : camp(tx, ty);
        if (in_goal && !to_goal) continue;
        fprintf(out, "E %d,%d %d,%d\n", x, y, tx, ty);
        return 0;
      }
    }
  return 0;
}
