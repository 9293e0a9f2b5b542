// Wolves and Sheep: a legal move, eating where it can. Start your own agent from here.
// javac Agent.java, then java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp DIRECTORY Agent
import java.nio.file.*;
import java.util.*;

public class Agent {
    static final int[][] WAYS = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

    static char at(char[][] board, int x, int y) { // the square x,y is board[y][x]: W, S or .
        return x < 0 || y < 0 || x > 4 || y > 4 ? '#' : board[y][x];
    }

    // All legal moves of a side, W or S, on a board: each its kind, E or J, and both squares, x and y.
    static List<int[]> legalMoves(char[][] board, char side) {
        List<int[]> found = new ArrayList<>();
        for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 5; x++) {
                for (int[] way : WAYS) {
                    int dx = way[0], dy = way[1];
                    if (board[y][x] != side || at(board, x + dx, y + dy) != '.') continue;
                    found.add(new int[] {'E', x, y, x + dx, y + dy});
                    // A wolf eats a sheep two squares away, over an empty square.
                    if (side == 'W' && at(board, x + 2 * dx, y + 2 * dy) == 'S') {
                        found.add(new int[] {'J', x, y, x + 2 * dx, y + 2 * dy});
                    }
                }
            }
        }
        return found;
    }

    static char[][] play(char[][] board, int[] m) { // the board after a move
        char[][] after = new char[5][];
        for (int y = 0; y < 5; y++) after[y] = board[y].clone();
        after[m[4]][m[3]] = board[m[2]][m[1]];
        after[m[2]][m[1]] = '.';
        return after;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        char side = lines.get(1).charAt(0); // line 3 has the CPU seconds: a search has to keep to them
        char[][] board = new char[5][];
        for (int y = 0; y < 5; y++) {
            board[y] = lines.get(3 + y).trim().replace('2', 'W').replace('1', 'S').replace('0', '.').toCharArray();
        }
        List<int[]> legal = legalMoves(board, side);
        Collections.shuffle(legal);
        int[] best = legal.get(0);
        for (int[] move : legal) {
            if (move[0] == 'J') best = move;
        }
        String squares = best[1] + "," + best[2] + " " + best[3] + "," + best[4];
        Files.write(Path.of("output.txt"), ((char) best[0] + " " + squares + "\n").getBytes());
    }
}
