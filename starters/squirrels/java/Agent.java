// Squirrels: the empty square of the largest value. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.nio.file.*;
import java.util.*;

public class Agent {
    static final int[][] WAYS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    static char at(char[][] board, int x, int y) { // column x, row y: board[y][x]
        return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x];
    }

    static List<int[]> legalMoves(char[][] board) { // of either side on a board: the empty squares, each x and y
        List<int[]> found = new ArrayList<>();
        for (int square = 0; square < 25; square++) {
            if (board[square / 5][square % 5] == '*') found.add(new int[] {square % 5, square / 5});
        }
        return found;
    }

    static boolean isRaid(char[][] board, char side, int[] m) {
        boolean raid = false;
        for (int[] way : WAYS) raid |= at(board, m[0] + way[0], m[1] + way[1]) == side;
        return raid;
    }

    static char[][] play(char[][] board, char side, int[] m) { // the board after a move
        char[][] after = new char[5][];
        for (int y = 0; y < 5; y++) after[y] = board[y].clone();
        after[m[1]][m[0]] = side;
        for (int[] way : WAYS) {
            int x = m[0] + way[0], y = m[1] + way[1];
            char there = at(board, x, y);
            if (isRaid(board, side, m) && (there == 'X' || there == 'O')) after[y][x] = side;
        }
        return after;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        char side = lines.get(1).charAt(0); // line 3 has the CPU seconds: a search has to keep to them
        int[][] values = new int[5][]; // of the square x,y: values[y][x]
        char[][] board = new char[5][];
        for (int y = 0; y < 5; y++) {
            values[y] = Arrays.stream(lines.get(3 + y).trim().split(" +")).mapToInt(Integer::parseInt).toArray();
            board[y] = lines.get(8 + y).trim().replace('.', '*').toCharArray();
        }
        int[] best = null;
        for (int[] move : legalMoves(board)) {
            if (best == null || values[move[1]][move[0]] > values[best[1]][best[0]]) best = move;
        }
        StringBuilder text = new StringBuilder();
        text.append("ABCDE".charAt(best[0])).append(best[1] + 1);
        text.append(isRaid(board, side, best) ? " Raid\n" : " Sneak\n");
        for (char[] row : play(board, side, best)) text.append(row).append('\n');
        Files.write(Path.of("output.txt"), text.toString().getBytes());
    }
}
